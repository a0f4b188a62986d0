import type { CommitState, StatusReport } from '../domain/code-host.port';
import { groupBy } from './group-by';

/** A job as the code host shows it: a check run of GitHub, a job of Gitea or Forgejo. */
export interface SeenJob {
  /** The id of the job. A newer job has a higher id. */
  readonly id: number;
  /** All jobs of one workflow run have the same suite, and so have all check runs of another app on one commit. */
  readonly suite: number | null;
  readonly isOfActions: boolean;
  readonly report: StatusReport;
}

/** One run of a workflow file, including all its attempts. */
export interface WorkflowRun {
  readonly id: number;
  readonly suite: number;
  readonly file: string;
  readonly event: string;
}

export interface WorkflowJob {
  /** The id of the job's `SeenJob`. */
  readonly seen: number;
  readonly name: string;
  /** The attempt, counted from 1. Each restart of the run, or of some of its jobs, adds one. */
  readonly attempt: number;
  readonly state: CommitState;
}

/** The workflow runs of a commit, as far as the code host lists them. */
export interface SettlingFacts {
  readonly runs: readonly WorkflowRun[];
  /** The jobs of each workflow run, by the id of the run. */
  readonly jobsOf: ReadonlyMap<number, readonly WorkflowJob[]>;
}

/** The description of a cancelled job. `file`: its workflow file, or null if the file is not known. */
export function cancelledByCi(file: string | null): string {
  return `CI cancelled it: a person, or a concurrency group${file === null ? '' : ` of ${file}`}`;
}

/**
 * All jobs of each name that one app reported more than once, or under which a job was cancelled. Only the workflow
 * runs show which of these jobs count.
 */
export function unclearIn(seen: readonly SeenJob[]): readonly SeenJob[] {
  const byName = groupBy(seen, ({ report }) => `${report.app} ${report.name}`);
  return [...byName.values()].filter((group) => group.length > 1 || group.some(isCancelled)).flat();
}

/**
 * The state that counts for each job, by its id. A cancelled job counts as failed if another job of its attempt failed,
 * because a matrix then stops its other jobs.
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
 * The ids of the jobs that do not count any more. For each workflow file and event, only the newest run counts, and of
 * this run the newest attempt that has a job with the name, with all its jobs of that name. A cancelled job does not
 * count if its workflow file has a newer run for any event, because both runs may share a concurrency group. In a suite
 * without a known workflow run, the newest job of a name counts.
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

/** The ids of the jobs that count for a name; undefined if the run lists no job of that name. */
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
