import type { Decided } from '../../../engine/decision';
import type { QueueRow } from '../queue-lock';
import type { BulkTable } from './bulk';
import { isoOrNull } from './write-rows';

/** What every decision writes of the queue's own row. */
export const QUEUES = {
  name: 'Queue',
  columns: {
    id: 'uuid',
    liveBranch: 'text',
    deletedAt: 'timestamptz',
    state: 'text',
    stateChangedAt: 'timestamptz',
    stateActor: 'text',
    mode: 'text',
    requestedMode: 'text',
    stateAfterSwitch: 'text',
    version: 'bigint',
    wakeAt: 'timestamptz',
    nextRun: 'int',
    nextLanding: 'int',
    nextLog: 'bigint',
    nextOrder: 'bigint',
    nextPlace: 'bigint',
    nextSearch: 'int',
    tipCommit: 'text',
    tipTree: 'text',
    tipSeenAt: 'timestamptz',
    epoch: 'int',
    landedSeq: 'bigint',
    concluded: 'bigint',
    landing: 'jsonb',
    partialLanding: 'jsonb',
    flow: 'jsonb',
    startNotedAt: 'timestamptz',
    failures: 'int',
    retryAt: 'timestamptz',
  },
} as const satisfies BulkTable<ReturnType<typeof queueRow>>;

/** `row`: as it is locked. Its version is raised. Written out: see `entryRow`. */
export function queueRow(row: QueueRow, decided: Decided, nextLog: number, startNotedAt: Date | null, now: Date) {
  const { after, changes, wakeAt } = decided;
  const isDeleted = changes.some((change) => change.type === 'queueDeleted');
  const moved = changes.findLast((change) => change.type === 'queueMoved' && change.from !== change.to);
  return {
    id: row.id,
    state: after.state,
    mode: after.mode,
    requestedMode: after.requestedMode,
    stateAfterSwitch: after.stateAfterSwitch,
    epoch: after.epoch,
    nextRun: after.nextRun,
    nextLanding: after.nextLanding,
    nextOrder: after.nextOrder,
    nextPlace: after.nextPlace,
    nextSearch: after.nextSearch,
    landedSeq: after.landedSeq,
    concluded: after.concluded,
    landing: after.landing,
    partialLanding: after.partialLanding,
    flow: after.flow ?? null,
    nextLog,
    failures: 0,
    retryAt: null,
    version: String(row.version + 1n),
    liveBranch: isDeleted ? null : row.liveBranch,
    deletedAt: isDeleted ? now.toISOString() : null,
    stateChangedAt: (moved ? now : row.stateChangedAt)?.toISOString() ?? null,
    stateActor: moved?.type === 'queueMoved' ? moved.actor : row.stateActor,
    startNotedAt: startNotedAt?.toISOString() ?? null,
    tipCommit: after.tip?.commit ?? null,
    tipTree: after.tip?.tree ?? null,
    tipSeenAt: isoOrNull(after.tipSeenAt),
    wakeAt: isDeleted ? null : isoOrNull(wakeAt),
  };
}
