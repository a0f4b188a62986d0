import type * as Engine from '../../../../engine/model';
import type { TestRun as RunColumns } from '../../../../generated/prisma/client';
import { uuidv5 } from '../../../../platform/ids';
import type { RunRecord } from '../decision-record';
import { readFlowRun } from '../read-flow';
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

/** The engine numbers the test runs of a queue. A run's id is derived from the queue and that number. */
export function runIdOf(queueId: string, run: number): string {
  const name = `${queueId} ${run}`;
  const known = runIds.get(name);
  if (known !== undefined) return known;
  if (runIds.size >= RUN_IDS_KEPT) runIds.clear();
  const id = uuidv5(queueId, String(run));
  runIds.set(name, id);
  return id;
}

/** Cached, because every decision on a run needs its id several times. */
const runIds = new Map<string, string>();
const RUN_IDS_KEPT = 1_000;

export const RUNS: CodecTable<RunColumns> = {
  name: 'TestRun',
  columns: {
    id: 'uuid',
    queueId: 'uuid',
    number: 'int',
    kind: 'text',
    phase: 'text',
    live: 'boolean',
    place: 'bigint',
    search: 'int',
    createdAt: 'timestamptz',
    baseCommit: 'text',
    baseTree: 'text',
    baseEpoch: 'int',
    baseLandedSeq: 'bigint',
    builtOn: 'jsonb',
    mergeMethod: 'text',
    timeoutMinutes: 'bigint',
    requiredStatuses: 'text[]',
    requiredStatusesSource: 'text',
    pins: 'jsonb',
    dropped: 'jsonb',
    moved: 'jsonb',
    ciEnd: 'jsonb',
    branch: 'text',
    commit: 'text',
    tree: 'text',
    pushedAt: 'timestamptz',
    deadline: 'timestamptz',
    redSince: 'timestamptz',
    failure: 'jsonb',
    conflict: 'jsonb',
    flow: 'jsonb',
    reused: 'boolean',
    endedAt: 'timestamptz',
    endedBecause: 'text',
    result: 'text',
    resultAt: 'timestamptz',
  },
  fixed: ['queueId', 'number'],
};

/** All fields are written out, for the reason in `encodeEntry`. */
export function encodeRun(queueId: string, { run, endedBecause }: RunRecord, now: Date): Encoded<RunColumns> {
  const ended = endedBecause !== null;
  return {
    id: runIdOf(queueId, run.number),
    queueId,
    number: run.number,
    kind: run.kind,
    place: run.place,
    search: run.search,
    builtOn: run.builtOn,
    mergeMethod: run.mergeMethod,
    timeoutMinutes: run.timeoutMinutes,
    requiredStatuses: run.requiredStatuses,
    requiredStatusesSource: run.requiredStatusesSource,
    pins: run.pins,
    dropped: run.dropped ?? [],
    moved: run.moved ?? null,
    ciEnd: run.ciEnd ?? null,
    branch: run.branch,
    commit: run.commit,
    tree: run.tree,
    failure: run.failure,
    conflict: run.conflict,
    reused: run.reused,
    flow: run.flow ?? null,
    endedBecause,
    phase: ended ? 'ended' : run.phase,
    live: !ended,
    baseCommit: run.base.commit,
    baseTree: run.base.tree,
    baseEpoch: run.base.epoch,
    baseLandedSeq: run.base.landedSeq,
    createdAt: iso(run.createdAt),
    pushedAt: isoOrNull(run.pushedAt),
    deadline: isoOrNull(run.deadline),
    redSince: isoOrNull(run.redSince),
    endedAt: ended ? now.toISOString() : null,
    result: resultOf(run) ?? (ended ? 'cancelled' : null),
    resultAt: isoOrNull(run.resultAt),
  };
}

function resultOf({ phase }: Engine.TestRun): 'succeeded' | 'failed' | null {
  if (phase === 'passed' || phase === 'landing') return 'succeeded';
  return phase === 'failed' ? 'failed' : null;
}

export interface RunRow extends InJson<RunColumns> {
  /** The run's own changes, in the order of their positions in the run. */
  readonly own: readonly Engine.QueuedHead[];
}

/** Optional fields are undefined, not absent, for the reason in `decodeEntry`. */
export function decodeRun(row: RunRow): Complete<Engine.TestRun> {
  const dropped = row.dropped as Engine.DroppedStatus[];
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
    builtOn: row.builtOn as Engine.QueuedHead[],
    own: row.own,
    mergeMethod: row.mergeMethod as Engine.TestRun['mergeMethod'],
    timeoutMinutes: row.timeoutMinutes,
    requiredStatuses: row.requiredStatuses,
    requiredStatusesSource: row.requiredStatusesSource as Engine.TestRun['requiredStatusesSource'],
    pins: row.pins as Engine.StatusPin[],
    branch: row.branch,
    commit: row.commit,
    tree: row.tree,
    pushedAt: instantInOrNull(row.pushedAt),
    deadline: instantInOrNull(row.deadline),
    redSince: instantInOrNull(row.redSince),
    resultAt: instantInOrNull(row.resultAt),
    failure: row.failure as Engine.RunFailure | null,
    conflict: row.conflict as Engine.Conflict | null,
    reused: row.reused,
    dropped: dropped.length > 0 ? dropped : undefined,
    moved: (row.moved as Engine.MovedBranch | null) ?? undefined,
    ciEnd: (row.ciEnd as Engine.CiEnd | null) ?? undefined,
    flow: row.flow === null ? undefined : readFlowRun(row.flow, row),
  };
}
