import type { StatusReport } from '../../../domain/code-host.port';

/** A check run, as far as it says which job reports it. */
export interface SeenCheckRun {
  readonly id: number;
  /** Of one run of a workflow, or of one app on one commit. */
  readonly suite: number | null;
  readonly isOfActions: boolean;
  readonly report: StatusReport;
}

/** One run of a workflow file, with all its attempts. */
export interface WorkflowRun {
  readonly id: number;
  readonly suite: number;
  readonly file: string;
  readonly event: string;
}

export interface WorkflowJob {
  readonly checkRun: number;
  readonly name: string;
  /** Counted from 1; each restart of the run or of some of its jobs adds one. */
  readonly attempt: number;
}

/** What GitHub Actions says of a commit. */
export interface SettlingFacts {
  readonly runs: readonly WorkflowRun[];
  /** By the id of the run. */
  readonly jobsOf: ReadonlyMap<number, readonly WorkflowJob[]>;
}

/** Check runs whose name one app reported more than once or with a cancelled job: only the workflow runs say which of them count. */
export function unclearIn(seen: readonly SeenCheckRun[]): readonly SeenCheckRun[] {
  const byName = groupBy(seen, ({ report }) => `${report.app} ${report.name}`);
  return [...byName.values()].filter((group) => group.length > 1 || group.some(isCancelled)).flat();
}

/**
 * Ids of the check runs that do not count any more. For each workflow file and event the newest run counts: in it, the newest attempt that
 * has a job of the name, with all its jobs of the name. A cancelled job does not count if its workflow file has a newer run for any event:
 * both may share a concurrency group. In a suite without a known workflow run, the newest check run of a name counts.
 */
export function supersededIn(unclear: readonly SeenCheckRun[], { runs, jobsOf }: SettlingFacts): ReadonlySet<number> {
  const gone = new Set<number>();
  const runOf = new Map(runs.map((run) => [run.suite, run]));
  for (const group of groupBy(unclear, ({ suite, report }) => `${suite} ${report.app} ${report.name}`).values()) {
    const run = runOf.get(group[0]!.suite ?? Number.NaN);
    const counting = run && countingJobs(jobsOf.get(run.id) ?? [], group[0]!.report.name);
    for (const one of group) {
      const isOlder = counting === undefined ? one !== newestOf(group) : !counting.has(one.id);
      if (isOlder || (run && isOvertaken(run, runs, isCancelled(one)))) gone.add(one.id);
    }
  }
  return gone;
}

/** Undefined: the run does not list a job of that name. */
function countingJobs(jobs: readonly WorkflowJob[], name: string): ReadonlySet<number> | undefined {
  const own = jobs.filter((job) => job.name === name);
  if (own.length === 0) return undefined;
  const newest = Math.max(...own.map(({ attempt }) => attempt));
  return new Set(own.filter(({ attempt }) => attempt === newest).map(({ checkRun }) => checkRun));
}

function isOvertaken(run: WorkflowRun, runs: readonly WorkflowRun[], isCancelledJob: boolean): boolean {
  return runs.some(
    ({ id, file, event }) => id > run.id && file === run.file && (isCancelledJob || event === run.event),
  );
}

function isCancelled({ report }: SeenCheckRun): boolean {
  return report.state === 'cancelled';
}

function newestOf(group: readonly SeenCheckRun[]): SeenCheckRun {
  return group.reduce((newest, one) => (one.id > newest.id ? one : newest));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
