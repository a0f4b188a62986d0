import { engineSettings } from '../../../../domain/stored-settings';
import type { Decided } from '../../../../engine/decision';
import type * as Engine from '../../../../engine/model';
import { Prisma, type Queue as QueueColumns } from '../../../../generated/prisma/client';
import type { QueueRow } from '../../queue-lock';
import { readFlowState } from '../read-flow';
import { type CodecTable, type Encoded, instantOrNull, isoOrNull } from './columns';

/** The creation of a queue sets these columns. `settingsAssigned` changes the settings. */
type Others = 'repositoryId' | 'branch' | 'createdAt' | 'settings';

/** The columns of the queue's own row that every decision writes. */
export const QUEUES: CodecTable<QueueColumns, Others> = {
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
};

/**
 * Encodes the queue. `row`: the locked row, whose version is raised. All fields are written out, for the reason in
 * `encodeEntry`.
 */
export function encodeQueue(
  row: QueueRow,
  decided: Decided,
  { nextLog, startNotedAt }: { readonly nextLog: number; readonly startNotedAt: Date | null },
  now: Date,
): Encoded<QueueColumns, Others> {
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

/** The settings that the engine acts on. */
export function settingsOf({ settings }: Pick<QueueRow, 'settings'>): Engine.QueueSettings {
  return engineSettings(settings);
}

function tipOf({ tipCommit, tipTree }: QueueRow): Engine.Tip | null {
  return tipCommit === null || tipTree === null ? null : { commit: tipCommit, tree: tipTree };
}

/**
 * The assignment of changed settings in an `update`. Settings that were not changed stay as they are, also settings
 * that only a newer version knows.
 */
export function settingsAssigned({ changes }: Decided): Prisma.Sql {
  const patches = changes.flatMap((change) => (change.type === 'settingsChanged' ? change.settings : []));
  if (patches.length === 0) return Prisma.empty;
  const patch = JSON.stringify(Object.assign({}, ...patches));
  return Prisma.sql`, "settings" = known."settings" || ${patch}::jsonb`;
}

/**
 * The fields of the snapshot that the queue's row contains. Optional fields are undefined, not absent, for the reason
 * in `decodeEntry`.
 */
export function decodeQueue(queue: QueueRow) {
  return {
    id: queue.id,
    branch: queue.branch,
    host: queue.host,
    state: queue.state as Engine.QueueSnapshot['state'],
    mode: queue.mode as Engine.QueueSnapshot['mode'],
    requestedMode: queue.requestedMode as Engine.QueueSnapshot['requestedMode'],
    stateAfterSwitch: queue.stateAfterSwitch as Engine.QueueSnapshot['stateAfterSwitch'],
    settings: settingsOf(queue),
    tip: tipOf(queue),
    tipSeenAt: instantOrNull(queue.tipSeenAt),
    epoch: queue.epoch,
    landedSeq: Number(queue.landedSeq),
    concluded: Number(queue.concluded),
    nextRun: queue.nextRun,
    nextLanding: queue.nextLanding,
    nextOrder: Number(queue.nextOrder),
    nextPlace: Number(queue.nextPlace),
    nextSearch: queue.nextSearch,
    landing: queue.landing as unknown as Engine.Landing | null,
    partialLanding: queue.partialLanding as unknown as Engine.PartialLanding | null,
    flow: queue.flow === null ? undefined : readFlowState(queue.flow, queue),
    computedTargets: computedTargetsOf(queue),
  };
}

function computedTargetsOf({ targetsKey, targetsProblem: problem }: QueueRow): Engine.QueueSnapshot['computedTargets'] {
  return targetsKey === null && problem === null ? undefined : { problem };
}
