import type { CulpritSearch, Entry, UnreadableConfig } from '../../engine/model';
import { isOutsideFlow, standingOf } from '../../engine/flow/standing';
import { pendingRank } from '../../engine/policy/order';
import type { LoggedCause } from '../../engine/replay/logged-decision';
import { uuidv5 } from '../../platform/ids';
import type { BulkTable } from './bulk';
import type { LandedRecord } from './decision-record';
import type { LogLine } from './log-line';

/** The same for an entry that waits for a configuration file and for the queue, as long as it waits. */
export function configKey({ commit, isByHand }: Pick<UnreadableConfig, 'commit' | 'isByHand'>): string {
  return isByHand ? `${commit} by hand` : commit;
}

/** The engine numbers the runs of a queue; their ids are derived from queue and number. */
export function runIdOf(queueId: string, run: number): string {
  return uuidv5(queueId, String(run));
}

export const ENTRIES = {
  name: 'Entry',
  columns: {
    id: 'uuid',
    queueId: 'uuid',
    number: 'int',
    attempt: 'int',
    state: 'text',
    stateChangedAt: 'timestamptz',
    stateReason: 'text',
    stateActor: 'text',
    stateRunId: 'uuid',
    verifiedByRunId: 'uuid',
    head: 'text',
    priority: 'bigint',
    usedDefaultPriority: 'boolean',
    noBatch: 'boolean',
    dryRun: 'boolean',
    pendingRank: 'int',
    returnedOrder: 'bigint',
    returnedGroup: 'bigint',
    batchAtMost: 'int',
    greenRetests: 'int',
    testAnew: 'boolean',
    acquittedAt: 'timestamptz',
    search: 'int',
    submittedOrder: 'bigint',
    place: 'bigint',
    placeIndex: 'int',
    urgentInLine: 'boolean',
    submittedAt: 'timestamptz',
    pendingSince: 'timestamptz',
    firstPendingAt: 'timestamptz',
    notReadySince: 'timestamptz',
    concludedAt: 'timestamptz',
    judgedMode: 'text',
    askAgainAt: 'timestamptz',
    timesAsked: 'int',
    unreadableConfig: 'jsonb',
    waitsForConfig: 'text',
    redRebuiltAt: 'bigint',
    timesLost: 'int',
    suspectRun: 'jsonb',
    generation: 'int',
    flow: 'jsonb',
    standing: 'text',
  },
  fixed: ['queueId', 'number'],
} as const satisfies BulkTable<ReturnType<typeof entryRow>>;

/** Its pull request is found by the number. */
export function entryRow(queueId: string, entry: Entry) {
  const { id, number, attempt, state, stateReason, stateActor, head, priority, usedDefaultPriority, noBatch } = entry;
  const { returnedOrder, returnedGroup, batchAtMost, greenRetests, testAnew, search } = entry;
  const { submittedOrder, place, placeIndex, urgentInLine, judgedMode, timesAsked, redRebuiltAt, timesLost } = entry;
  const { dryRun, unreadableConfig, suspectRun, generation = 0, flow = null } = entry;
  return {
    ...{ id, queueId, number, attempt, state, stateReason, stateActor, head, priority },
    ...{ usedDefaultPriority, noBatch, returnedOrder, returnedGroup, batchAtMost, greenRetests, testAnew, search },
    ...{ submittedOrder, place, placeIndex, urgentInLine, judgedMode, timesAsked, redRebuiltAt, timesLost },
    ...{ dryRun, unreadableConfig, suspectRun, generation, flow },
    standing: isOutsideFlow(entry) ? null : standingOf(entry).at,
    waitsForConfig: unreadableConfig === null ? null : configKey(unreadableConfig),
    pendingRank: pendingRank(entry),
    stateRunId: entry.stateRun === null ? null : runIdOf(queueId, entry.stateRun),
    verifiedByRunId: entry.verifiedByRun === null ? null : runIdOf(queueId, entry.verifiedByRun),
    stateChangedAt: iso(entry.stateChangedAt),
    submittedAt: iso(entry.submittedAt),
    pendingSince: isoOrNull(entry.pendingSince),
    firstPendingAt: isoOrNull(entry.firstPendingAt),
    notReadySince: isoOrNull(entry.notReadySince),
    concludedAt: isoOrNull(entry.concludedAt),
    askAgainAt: isoOrNull(entry.askAgainAt),
    acquittedAt: isoOrNull(entry.acquittedAt),
  };
}

export const SEARCHES = {
  name: 'CulpritSearch',
  columns: { queueId: 'uuid', number: 'int', search: 'jsonb' },
} as const satisfies BulkTable<ReturnType<typeof searchRow>>;

export function searchRow(queueId: string, search: CulpritSearch) {
  return { queueId, number: search.number, search };
}

export const LANDED = {
  name: 'LandedChange',
  columns: {
    queueId: 'uuid',
    seq: 'bigint',
    epoch: 'int',
    entryId: 'uuid',
    number: 'int',
    head: 'text',
    generation: 'int',
    landing: 'int',
    commit: 'text',
    tree: 'text',
    landedAt: 'timestamptz',
  },
} as const satisfies BulkTable<ReturnType<typeof landedRow>>;

export function landedRow(queueId: string, { seq, epoch, change }: LandedRecord, now: Date) {
  const { landing, commit, tree, change: landed } = change;
  const { entryId, number, head, generation = 0 } = landed;
  const made = { landing, commit, tree, landedAt: now.toISOString() };
  return { queueId, seq, epoch, entryId, number, head, generation, ...made };
}

export const LOG = {
  name: 'QueueLog',
  columns: {
    queueId: 'uuid',
    seq: 'bigint',
    at: 'timestamptz',
    type: 'text',
    entryId: 'uuid',
    attempt: 'int',
    runId: 'uuid',
    fromState: 'text',
    toState: 'text',
    reason: 'text',
    actor: 'text',
    requestId: 'text',
    traceParent: 'text',
    queueType: 'text',
    change: 'jsonb',
    cause: 'jsonb',
  },
} as const satisfies BulkTable<ReturnType<typeof logRow>>;

/** What is told of a decision beside its changes. `cause`: in its first line. */
interface DecisionOfLine {
  readonly cause: LoggedCause | null;
  readonly requestId: string | null;
  readonly traceParent: string | null;
}

export function logRow(queueId: string, seq: number, line: LogLine, decision: DecisionOfLine, now: Date) {
  const { change, entryId, attempt, run, queueType } = line;
  return {
    ...{ queueId, seq, entryId, attempt, queueType, change, ...decision },
    ...transitionOf(line),
    type: change.type,
    runId: run === null ? null : runIdOf(queueId, run),
    at: 'at' in change ? iso(change.at) : now.toISOString(),
    actor: 'actor' in change ? change.actor : null,
  };
}

function transitionOf({ change }: LogLine): {
  fromState: string | null;
  toState: string | null;
  reason: string | null;
} {
  if (change.type === 'entrySubmitted') {
    return { fromState: null, toState: change.entry.state, reason: change.entry.stateReason };
  }
  if (change.type === 'entryMoved') return { fromState: change.from, toState: change.to, reason: change.because };
  return { fromState: null, toState: null, reason: null };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
