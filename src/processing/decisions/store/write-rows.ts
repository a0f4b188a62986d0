import type { CulpritSearch, Entry, UnreadableConfig } from '../../../engine/model';
import { isOutsideFlow, standingOf } from '../../../engine/flow-facts/scheduling';
import { pendingRank } from '../../../engine/policy/order';
import type { LoggedCause } from '../../decision-log/logged-decision';
import { uuidv5 } from '../../../platform/ids';
import type { BulkTable } from './bulk';
import type { LandedRecord } from './decision-record';
import type { LogLine } from './log-line';

/** The same for an entry that waits for a configuration file and for the queue, as long as it waits. */
export function configKey({ commit, isByHand }: Pick<UnreadableConfig, 'commit' | 'isByHand'>): string {
  return isByHand ? `${commit} by hand` : commit;
}

/** The engine numbers the runs of a queue; their ids are derived from queue and number. */
export function runIdOf(queueId: string, run: number): string {
  const name = `${queueId} ${run}`;
  const known = runIds.get(name);
  if (known !== undefined) return known;
  if (runIds.size >= RUN_IDS_KEPT) runIds.clear();
  const id = uuidv5(queueId, String(run));
  runIds.set(name, id);
  return id;
}

/** Every decision on a run needs its id several times. */
const runIds = new Map<string, string>();
const RUN_IDS_KEPT = 1_000;

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
    evaluatedMode: 'text',
    askAgainAt: 'timestamptz',
    timesAsked: 'int',
    unreadableConfig: 'jsonb',
    waitsForConfig: 'text',
    redRebuiltAt: 'bigint',
    timesLost: 'int',
    suspectRun: 'jsonb',
    generation: 'int',
    takesOff: 'text[]',
    changedWorkflows: 'text[]',
    flow: 'jsonb',
    standing: 'text',
  },
  fixed: ['queueId', 'number'],
} as const satisfies BulkTable<ReturnType<typeof entryRow>>;

/** Its pull request is found by the number. Written out: spread from smaller ones, an object of so many fields takes some 40 µs instead of 0.2. */
export function entryRow(queueId: string, entry: Entry) {
  return {
    id: entry.id,
    queueId,
    number: entry.number,
    attempt: entry.attempt,
    state: entry.state,
    stateReason: entry.stateReason,
    stateActor: entry.stateActor,
    head: entry.head,
    priority: entry.priority,
    usedDefaultPriority: entry.usedDefaultPriority,
    noBatch: entry.noBatch,
    returnedOrder: entry.returnedOrder,
    returnedGroup: entry.returnedGroup,
    batchAtMost: entry.batchAtMost,
    greenRetests: entry.greenRetests,
    testAnew: entry.testAnew,
    search: entry.search,
    submittedOrder: entry.submittedOrder,
    place: entry.place,
    placeIndex: entry.placeIndex,
    urgentInLine: entry.urgentInLine,
    evaluatedMode: entry.evaluatedMode,
    timesAsked: entry.timesAsked,
    redRebuiltAt: entry.redRebuiltAt,
    timesLost: entry.timesLost,
    dryRun: entry.dryRun,
    unreadableConfig: entry.unreadableConfig,
    suspectRun: entry.suspectRun,
    generation: entry.generation ?? 0,
    takesOff: entry.takesOff ?? [],
    changedWorkflows: entry.changedWorkflows ?? [],
    flow: entry.flow ?? null,
    standing: isOutsideFlow(entry) ? null : standingOf(entry).at,
    waitsForConfig: entry.unreadableConfig === null ? null : configKey(entry.unreadableConfig),
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
    below: 'text',
    commit: 'text',
    tree: 'text',
    landedAt: 'timestamptz',
  },
} as const satisfies BulkTable<ReturnType<typeof landedRow>>;

export function landedRow(queueId: string, { seq, epoch, change }: LandedRecord, now: Date) {
  const { landing, below = null, commit, tree, change: landed } = change;
  const { entryId, number, head, generation = 0 } = landed;
  const made = { landing, below, commit, tree, landedAt: now.toISOString() };
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
  const { fromState, toState, reason } = transitionOf(line);
  return {
    queueId,
    seq,
    at: 'at' in change ? iso(change.at) : now.toISOString(),
    type: change.type,
    entryId,
    attempt,
    runId: run === null ? null : runIdOf(queueId, run),
    fromState,
    toState,
    reason,
    actor: 'actor' in change ? change.actor : null,
    requestId: decision.requestId,
    traceParent: decision.traceParent,
    queueType,
    change,
    cause: decision.cause,
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
