import type { CommitState, StatusReport } from '../domain/code-host.port';
import { groupBy } from './group-by';

/** A job as the code host shows it: a check run of GitHub, a job of Gitea or Forgejo. */
export interface SeenJob {
  /** Newer ones have higher ids. */
  readonly id: number;
  /** All jobs of one workflow run have the same suite, and so have all check runs of another app on one commit. */
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
  /** The id of its `SeenJob`. */
  readonly seen: number;
  readonly name: string;
  /** Counted from 1; each restart of the run or of some of its jobs adds one. */
  readonly attempt: number;
  readonly state: CommitState;
}

/** The workflow runs of a commit, as far as the code host lists them. */
export interface SettlingFacts {
  readonly runs: readonly WorkflowRun[];
  /** By the id of the run. */
  readonly jobsOf: ReadonlyMap<number, readonly WorkflowJob[]>;
}

/** The description of a cancelled job. `file`: null where it is not known. */
export function cancelledByCi(file: string | null): string {
  return `CI cancelled it: a person, or a concurrency group${file === null ? '' : ` of ${file}`}`;
}

/**
 * Jobs with a name that one app reported more than once, or with a cancelled job. Only the workflow runs say which of
 * these jobs count.
 */
export function unclearIn(seen: readonly SeenJob[]): readonly SeenJob[] {
  const byName = groupBy(seen, ({ report }) => `${report.app} ${report.name}`);
  return [...byName.values()].filter((group) => group.length > 1 || group.some(isCancelled)).flat();
}

/**
 * The state that counts for each job, by its id. A cancelled job failed if another job of its attempt did: a matrix
 * stops the other jobs then.
 */
export function verdictsOn(seen: readonly SeenJob[], facts: SettlingFacts): ReadonlyMap<number, CommitState> {
  const superseded = supersededIn(seen, facts);
  const jobs = [...facts.jobsOf.values()];
  const isStopped = (id: number): boolean =>
    jobs.some((ofRun) => {
      const own = ofRun.find((job) => job.seen === id);
      return own !== undefined && ofRun.some(({ attempt, state }) => attempt === own.attempt && state === 'failure');
    });
  return new Map(
    seen.map((one) => {
      if (superseded.has(one.id)) return [one.id, 'superseded'];
      return [one.id, isCancelled(one) && isStopped(one.id) ? 'failure' : one.report.state];
    }),
  );
}

/**
 * Ids of the jobs that do not count any more. For each workflow file and event the newest run counts: in it, the newest
 * attempt that has a job of the name, with all its jobs of the name. A cancelled job does not count if its workflow
 * file has a newer run for any event: both may share a concurrency group. In a suite without a known workflow run, the
 * newest job of a name counts.
 */
export function supersededIn(unclear: readonly SeenJob[], { runs, jobsOf }: SettlingFacts): ReadonlySet<number> {
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
  return new Set(own.filter(({ attempt }) => attempt === newest).map(({ seen }) => seen));
}

function isOvertaken(run: WorkflowRun, runs: readonly WorkflowRun[], isCancelledJob: boolean): boolean {
  return runs.some(
    ({ id, file, event }) => id > run.id && file === run.file && (isCancelledJob || event === run.event),
  );
}

function isCancelled({ report }: SeenJob): boolean {
  return report.state === 'cancelled';
}

function newestOf(group: readonly SeenJob[]): SeenJob {
  return group.reduce((newest, one) => (one.id > newest.id ? one : newest));
}
