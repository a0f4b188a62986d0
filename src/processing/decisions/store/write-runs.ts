import type { TestRun } from '../../../engine/model';
import type { BulkTable } from './bulk';
import type { RunRecord } from './decision-record';
import { iso, isoOrNull, runIdOf } from './write-rows';

export const RUNS = {
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
} as const satisfies BulkTable<ReturnType<typeof runRow>>;

/** Written out: see `entryRow`. */
export function runRow(queueId: string, { run, endedBecause }: RunRecord, now: Date) {
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

function resultOf({ phase }: TestRun): 'succeeded' | 'failed' | null {
  if (phase === 'passed' || phase === 'landing') return 'succeeded';
  return phase === 'failed' ? 'failed' : null;
}

export const MEMBERS = {
  name: 'TestRunMember',
  columns: {
    runId: 'uuid',
    entryId: 'uuid',
    number: 'int',
    attempt: 'int',
    head: 'text',
    generation: 'int',
    position: 'int',
  },
} as const satisfies BulkTable<ReturnType<typeof memberRows>[number]>;

export function memberRows(queueId: string, { run, attempts }: RunRecord) {
  const runId = runIdOf(queueId, run.number);
  return run.own.map(({ entryId, number, head, generation = 0 }, position) => {
    return { runId, entryId, number, attempt: attempts[position] ?? 1, head, generation, position };
  });
}
