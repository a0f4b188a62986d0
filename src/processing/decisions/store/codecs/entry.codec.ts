import { isOutsideFlow, standingOf } from '../../../../engine/flow-facts/scheduling';
import type * as Engine from '../../../../engine/model';
import { pendingRank } from '../../../../engine/policy/order';
import { type Entry as EntryColumns, Prisma } from '../../../../generated/prisma/client';
import { readStanding } from '../read-flow';
import {
  type CodecTable,
  type Complete,
  type Encoded,
  type InJson,
  instantIn,
  instantInOrNull,
  iso,
  isoOrNull,
} from './columns';
import { runIdOf } from './run.codec';

/**
 * The key of a configuration error. An entry waits for a readable configuration file as long as its stored key equals
 * the queue's key.
 */
export function configKey({ commit, isByHand }: Pick<Engine.UnreadableConfig, 'commit' | 'isByHand'>): string {
  return isByHand ? `${commit} by hand` : commit;
}

/** The column that SQL fills from the number of the pull request: see `pullRequestIdOf`. */
type Found = 'pullRequestId';

export const ENTRIES: CodecTable<EntryColumns, Found> = {
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
};

/**
 * The expression for the pull request's id. It gives null, which the column refuses, if the pull request was never seen
 * at the code host.
 */
export function pullRequestIdOf(repositoryId: string): Record<Found, Prisma.Sql> {
  return {
    pullRequestId: Prisma.sql`(SELECT p."id" FROM "PullRequest" p
    WHERE p."repositoryId" = ${repositoryId}::uuid AND p."number" = row."number")`,
  };
}

/**
 * All fields are written out, because an object with so many fields then takes 0.2 µs to build, and some 40 µs if it is
 * spread from smaller objects.
 */
export function encodeEntry(queueId: string, entry: Engine.Entry): Encoded<EntryColumns, Found> {
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

/** A row with the entry, its pull request, the numbers of its runs, and whether it has targets. */
export interface EntryRow extends InJson<Omit<EntryColumns, Found>> {
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

/**
 * Decodes an entry without `needs`, which are rows of another table. Optional fields are undefined, not absent, so that
 * all entries have the same hidden class.
 */
export function decodeEntry(row: EntryRow): Complete<Omit<Engine.Entry, 'needs'>> {
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
    unreadableConfig: row.unreadableConfig as Engine.UnreadableConfig | null,
    stateRun: row.stateRun,
    verifiedByRun: row.verifiedByRun,
    hasTargets: row.hasTargets,
    redRebuiltAt: row.redRebuiltAt,
    timesLost: row.timesLost,
    suspectRun: row.suspectRun as Engine.SuspectRun | null,
    generation: row.generation > 0 ? row.generation : undefined,
    takesOff: row.takesOff.length > 0 ? row.takesOff : undefined,
    changedWorkflows: row.changedWorkflows.length > 0 ? row.changedWorkflows : undefined,
    flow: row.flow === null ? undefined : readStanding(row.flow, row),
    pullRequest: decodePullRequest(row),
  };
}

/** Decodes the facts about the pull request, without its dependencies, which are the entry's `needs`. */
function decodePullRequest(row: EntryRow): Complete<Omit<Engine.PullRequestFacts, 'dependsOn' | 'elsewhere'>> {
  return {
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
    stack: row.stack ?? undefined,
    seenAt: instantIn(row.observedAt),
  };
}
