import type { Decided } from '../../engine/decision';
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

/** `row`: as it is locked. Its version is raised. */
export function queueRow(row: QueueRow, decided: Decided, nextLog: number, startNotedAt: Date | null, now: Date) {
  const { after, changes, wakeAt } = decided;
  const { state, mode, requestedMode, stateAfterSwitch, epoch, nextRun, nextLanding, nextOrder, nextPlace } = after;
  const { nextSearch, landedSeq, concluded, landing, partialLanding, tip, tipSeenAt, flow = null } = after;
  const isDeleted = changes.some((change) => change.type === 'queueDeleted');
  const moved = changes.findLast((change) => change.type === 'queueMoved' && change.from !== change.to);
  return {
    ...{ state, mode, requestedMode, stateAfterSwitch, epoch, nextRun, nextLanding, nextOrder, nextPlace, nextLog },
    ...{ nextSearch, landedSeq, concluded, landing, partialLanding, flow, failures: 0, retryAt: null },
    id: row.id,
    version: String(row.version + 1n),
    liveBranch: isDeleted ? null : row.liveBranch,
    deletedAt: isDeleted ? now.toISOString() : null,
    stateChangedAt: (moved ? now : row.stateChangedAt)?.toISOString() ?? null,
    stateActor: moved?.type === 'queueMoved' ? moved.actor : row.stateActor,
    startNotedAt: startNotedAt?.toISOString() ?? null,
    tipCommit: tip?.commit ?? null,
    tipTree: tip?.tree ?? null,
    tipSeenAt: isoOrNull(tipSeenAt),
    wakeAt: isDeleted ? null : isoOrNull(wakeAt),
  };
}
