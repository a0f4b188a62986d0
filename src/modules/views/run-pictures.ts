import { explain } from '../../engine/explain';
import { landsWhen } from '../../engine/explain/lands-when';
import type { Entry, QueueSnapshot, QueuedHead, TestRun } from '../../engine/model';
import { lineOf } from '../../engine/policy/line';
import { counts, statusesOf } from '../../engine/policy/statuses';
import { timesOutAt } from '../../engine/policy/time-out';
import { isConcluded } from '../../engine/states';
import type { Instant } from '../../engine/vocabulary';
import type { Eta } from '../../processing/forecasts/forecast-reader';
import { uuidv5 } from '../../platform/ids';
import type { RunPicture, StatusPicture } from './run-picture.dto';
import { MOST_BUILT_ON, endOrNull, numbersOfHeads, timeOrNull } from './answers';
import type { ExpectedDurations } from './expected-durations';
import type { ReportRow } from './run-reports';

export interface BesideSnapshot {
  readonly now: Instant;
  readonly reports: readonly ReportRow[];
  readonly durations: ExpectedDurations;
  readonly etas: ReadonlyMap<string, Eta>;
  /** The impacted targets of each run, by the number of the run. */
  readonly targets: ReadonlyMap<number, readonly string[]>;
}

/** The running test runs: first the runs of the sequence in merge order, then all other runs by number. */
export function runsInOrder(queue: QueueSnapshot): readonly TestRun[] {
  const line = lineOf(queue).flatMap(({ run }) => run ?? []);
  const others = queue.runs.filter((run) => !line.includes(run));
  return [...line, ...others.sort((a, b) => a.number - b.number)];
}

export function drawRun(queue: QueueSnapshot, run: TestRun, beside: BesideSnapshot): RunPicture {
  const { base, builtOn, own, flow, conflict, failure } = run;
  const first = own.flatMap((head) => openEntryOf(queue, head) ?? [])[0];
  const eta = first && beside.etas.get(first.id);
  const timeOut = run.phase === 'testing' ? timesOutAt(queue, run) : null;
  return {
    testRunId: uuidv5(queue.id, String(run.number)),
    number: run.number,
    kind: run.kind,
    role: flow?.role ?? null,
    phase: run.phase,
    search: run.search ?? (flow && flow.set !== 0 ? flow.set : null),
    baseSha: base.commit,
    builtOn: numbersOfHeads(builtOn).slice(-MOST_BUILT_ON),
    builtOnCount: builtOn.length,
    hopes: numbersOfHeads(flow?.assumed ?? []),
    members: own.map(({ number, head }) => ({ prNumber: number, prSha: head })),
    targets: [...(beside.targets.get(run.number) ?? [])],
    testBranch: run.branch,
    testBranchSha: run.commit,
    statuses: run.commit === null ? [] : statusesIn(queue, run, beside),
    createdAt: new Date(run.createdAt).toISOString(),
    pushedAt: timeOrNull(run.pushedAt),
    resultAt: timeOrNull(run.resultAt),
    timesOutAt: timeOrNull(timeOut),
    waitingFor: first === undefined ? null : waitingForOf(queue, first, 0, beside.now),
    landsWhen: landsWhen(queue, run, beside.now),
    eta: endOrNull(eta),
    conflict: conflict && { prNumber: conflict.with, files: [...conflict.files] },
    failure: failure && {
      type: failure.type,
      statuses: [...(failure.type === 'timeout' ? failure.missing : failure.names)],
      reused: failure.reused,
    },
  };
}

/** The reason for waiting, in the same sentence as in the record of the pull request. */
export function waitingForOf(queue: QueueSnapshot, { id }: Entry, ahead: number, now: Instant): string | null {
  return explain(queue, [{ entryId: id, ahead }], now)[0]?.waitingFor ?? null;
}

function statusesIn(queue: QueueSnapshot, run: TestRun, { reports, durations }: BesideSnapshot): StatusPicture[] {
  const verdict = statusesOf(queue, run);
  return run.requiredStatuses.map((name) => {
    const state = STATES.find((other) => verdict[other].includes(name)) ?? 'passed';
    const own = reports.filter((row) => row.sha === run.commit && row.name === name && counts(run.pins, row));
    const newest = own.sort((a, b) => b.hostTime.getTime() - a.hostTime.getTime())[0];
    const shown = own.find((row) => row.state !== 'success') ?? newest;
    return {
      name,
      state,
      reportedAt: newest?.hostTime.toISOString() ?? null,
      expectedMs: durations.statuses.get(name) ?? null,
      url: shown?.url ?? '',
      description: shown?.description ?? null,
    };
  });
}

const STATES = ['failed', 'lost', 'missing', 'running'] as const;

function openEntryOf(queue: QueueSnapshot, { entryId }: QueuedHead): Entry | undefined {
  return queue.entries.find(({ id, state }) => id === entryId && !isConcluded(state));
}
