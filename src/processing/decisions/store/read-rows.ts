import type { CommitState } from '../../../domain/code-host.port';
import type {
  CommitStatus,
  CulpritSearch as SearchColumns,
  Entry as EntryColumns,
  TestRun as RunColumns,
} from '../../../generated/prisma/client';
import { engineSettings } from '../../../domain/stored-settings';
import type * as Engine from '../../../engine/model';
import type { Instant } from '../../../engine/vocabulary';
import type { QueueRow } from '../queue-lock';
import { readFlowRun, readStanding } from './read-flow';

/** A row as PostgreSQL writes it in JSON. */
export type InJson<Row> = { readonly [Column in keyof Row]: JsonOf<Row[Column]> };
type JsonOf<Value> = Value extends Date ? string : Value extends bigint ? number : Value;

/** An entry joined with its pull request, run numbers and targets. */
export interface EntryRow extends InJson<EntryColumns> {
  readonly stateRun: number | null;
  readonly verifiedByRun: number | null;
  readonly hasTargets: boolean;
  readonly title: string;
  readonly author: string;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly baseBranch: string | null;
  readonly prState: string;
  readonly draft: boolean;
  readonly mergeability: string;
  readonly unmet: unknown;
  readonly stack: Engine.StackPlace | null;
  readonly observedAt: string;
}

export interface RunRow extends InJson<RunColumns> {
  /** By position in the run. */
  readonly own: readonly Engine.QueuedHead[];
}

export type StatusRow = InJson<Pick<CommitStatus, 'sha' | 'kind' | 'name' | 'app' | 'state' | 'hostTime'>>;

export function entryOf(row: EntryRow): Engine.Entry {
  return {
    id: row.id,
    number: row.number,
    attempt: row.attempt,
    state: row.state as Engine.Entry['state'],
    stateChangedAt: instantIn(row.stateChangedAt),
    stateReason: row.stateReason as Engine.Entry['stateReason'],
    stateActor: row.stateActor,
    head: row.head,
    priority: row.priority,
    usedDefaultPriority: row.usedDefaultPriority,
    noBatch: row.noBatch,
    dryRun: row.dryRun,
    submittedOrder: row.submittedOrder,
    returnedOrder: row.returnedOrder,
    returnedGroup: row.returnedGroup,
    batchAtMost: row.batchAtMost,
    greenRetests: row.greenRetests,
    testAnew: row.testAnew,
    acquittedAt: instantInOrNull(row.acquittedAt),
    search: row.search,
    place: row.place,
    placeIndex: row.placeIndex,
    urgentInLine: row.urgentInLine,
    submittedAt: instantIn(row.submittedAt),
    pendingSince: instantInOrNull(row.pendingSince),
    firstPendingAt: instantInOrNull(row.firstPendingAt),
    notReadySince: instantInOrNull(row.notReadySince),
    concludedAt: instantInOrNull(row.concludedAt),
    evaluatedMode: row.evaluatedMode as Engine.Entry['evaluatedMode'],
    askAgainAt: instantInOrNull(row.askAgainAt),
    timesAsked: row.timesAsked,
    unreadableConfig: row.unreadableConfig as unknown as Engine.UnreadableConfig | null,
    stateRun: row.stateRun,
    verifiedByRun: row.verifiedByRun,
    hasTargets: row.hasTargets,
    redRebuiltAt: row.redRebuiltAt,
    timesLost: row.timesLost,
    suspectRun: row.suspectRun as unknown as Engine.SuspectRun | null,
    ...(row.generation > 0 && { generation: row.generation }),
    ...(row.takesOff.length > 0 && { takesOff: row.takesOff }),
    ...(row.changedWorkflows.length > 0 && { changedWorkflows: row.changedWorkflows }),
    ...(row.flow !== null && { flow: readStanding(row.flow, row) }),
    pullRequest: {
      number: row.number,
      title: row.title,
      author: row.author,
      head: row.headSha,
      headBranch: row.headBranch,
      base: row.baseBranch,
      state: row.prState as Engine.PullRequestFacts['state'],
      draft: row.draft,
      mergeability: row.mergeability as Engine.PullRequestFacts['mergeability'],
      unmet: row.unmet as NonNullable<Engine.PullRequestFacts['unmet']>,
      ...(row.stack !== null && { stack: row.stack }),
      seenAt: instantIn(row.observedAt),
    },
  };
}

export function runOf(row: RunRow): Engine.TestRun {
  return {
    number: row.number,
    kind: row.kind as Engine.TestRun['kind'],
    phase: row.phase as Engine.TestRun['phase'],
    place: row.place,
    search: row.search,
    createdAt: instantIn(row.createdAt),
    base: {
      commit: row.baseCommit,
      tree: row.baseTree,
      epoch: row.baseEpoch,
      landedSeq: row.baseLandedSeq,
    },
    builtOn: row.builtOn as unknown as Engine.QueuedHead[],
    own: row.own,
    mergeMethod: row.mergeMethod as Engine.TestRun['mergeMethod'],
    timeoutMinutes: row.timeoutMinutes,
    requiredStatuses: row.requiredStatuses,
    requiredStatusesSource: row.requiredStatusesSource as Engine.TestRun['requiredStatusesSource'],
    pins: row.pins as unknown as Engine.StatusPin[],
    branch: row.branch,
    commit: row.commit,
    tree: row.tree,
    pushedAt: instantInOrNull(row.pushedAt),
    deadline: instantInOrNull(row.deadline),
    redSince: instantInOrNull(row.redSince),
    resultAt: instantInOrNull(row.resultAt),
    failure: row.failure as unknown as Engine.RunFailure | null,
    conflict: row.conflict as unknown as Engine.Conflict | null,
    reused: row.reused,
    ...((row.dropped as unknown[]).length > 0 && { dropped: row.dropped as unknown as Engine.DroppedStatus[] }),
    ...(row.moved !== null && { moved: row.moved as unknown as Engine.MovedBranch }),
    ...(row.ciEnd !== null && { ciEnd: row.ciEnd as unknown as Engine.CiEnd }),
    ...(row.flow !== null && { flow: readFlowRun(row.flow, row) }),
  };
}

export function searchOf({ search }: Pick<SearchColumns, 'search'>): Engine.CulpritSearch {
  return search as unknown as Engine.CulpritSearch;
}

/** Those that the engine acts on. */
export function settingsOf({ settings }: Pick<QueueRow, 'settings'>): Engine.QueueSettings {
  return engineSettings(settings);
}

export function tipOf({ tipCommit, tipTree }: QueueRow): Engine.Tip | null {
  return tipCommit === null || tipTree === null ? null : { commit: tipCommit, tree: tipTree };
}

export function reportOf(row: StatusRow): Engine.StatusFact {
  return {
    commit: row.sha,
    kind: row.kind as Engine.StatusFact['kind'],
    name: row.name,
    app: row.app,
    state: REPORT_STATES[row.state as CountingState],
    reportedAt: instantIn(row.hostTime),
  };
}

type CountingState = Exclude<CommitState, 'superseded'> | 'distrusted';

const REPORT_STATES: Readonly<Record<CountingState, Engine.ReportState>> = {
  distrusted: 'distrusted',
  success: 'passed',
  neutral: 'passed',
  skipped: 'passed',
  failure: 'failed',
  error: 'failed',
  timed_out: 'failed',
  action_required: 'failed',
  cancelled: 'lost',
  stale: 'lost',
  startup_failure: 'lost',
  runner_lost: 'lost',
  pending: 'running',
};

export function instantOrNull(at: Date | null): Instant | null {
  return at === null ? null : at.getTime();
}

export function instantIn(at: string): Instant {
  return Date.parse(at);
}

function instantInOrNull(at: string | null): Instant | null {
  return at === null ? null : instantIn(at);
}
