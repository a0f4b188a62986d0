import type { StatusReport } from '../../../domain/code-host.port';
import { groupBy } from '../../group-by';
import { type SeenJob, verdictsOn, cancelledByCi, type WorkflowJob } from '../../counting-jobs';
import { addressIn, type JobAddress } from './job-address';
import { worstOf } from './status-patterns';
import type { ListedJob, ListedRun } from './workflow-runs';

/** Statuses of a commit, the oldest first. */
type Statuses = readonly StatusReport[];

interface JobReport {
  readonly run: ListedRun;
  /** The attempt of the run; 0 for an earlier attempt whose jobs the server no longer lists. */
  readonly attempt: number;
  readonly report: StatusReport;
}

/**
 * Returns one report for each name. If jobs report under a name, only these jobs decide, because anybody with the token
 * of a job may set any status, even with a job's URL. If no job is listed under a name, its statuses decide: of the
 * newest statuses for each job URL, the worst, or a newer status from another source. `runs`: null if the server lists
 * no runs.
 */
export function reportsByName(statuses: Statuses, runs: readonly ListedRun[] | null): readonly StatusReport[] {
  const inOrder = statuses.toSorted((a, b) => Number(a.hostId) - Number(b.hostId));
  const jobs = groupBy(countingJobs(inOrder, runs ?? []), ({ name }) => name);
  const notListed = groupBy(newestOfEachAddress(inOrder), ({ name }) => name);
  const newest = new Map(inOrder.map((status) => [status.name, status]));
  return [...newest.values()].map((status) => {
    const ofAddresses = addressIn(status.url) === null ? [] : notListed.get(status.name);
    const listed = jobs.get(status.name);
    const worst = worstOf(listed ?? ofAddresses ?? []);
    const { hostTime, hostId } = status;
    const isForged = runs !== null && listed === undefined && status.reporter === 'job';
    const reporter = listed !== undefined ? 'job' : isForged ? 'job_token' : status.reporter;
    return { ...(worst ?? status), hostTime, hostId, ...(reporter !== undefined && { reporter }) };
  });
}

function newestOfEachAddress(inOrder: Statuses): Statuses {
  const ofJobs = inOrder.filter(({ url }) => addressIn(url) !== null);
  return [...groupBy(ofJobs, ({ url, name }) => `${addressIn(url)} ${name}`).values()].map((own) => own.at(-1)!);
}

function countingJobs(inOrder: Statuses, runs: readonly ListedRun[]): Statuses {
  const byAddress = groupBy(inOrder, ({ url }) => addressIn(url));
  const listed = runs.flatMap((run) => listedJobs(run, inOrder, byAddress));
  const addresses = new Set(runs.flatMap(({ jobs }) => jobs.map(({ address }) => address)));
  const earlier = [...byAddress].flatMap(([address, own]): JobReport[] => {
    if (address === null || addresses.has(address)) return [];
    const run = runs.find((one) => one.address === address.split('/')[0]);
    if (run === undefined) return [];
    const { name } = own[0]!;
    return [{ run, attempt: 0, report: own.findLast((status) => status.name === name)! }];
  });
  const jobReports = [...earlier, ...listed];
  const seen = jobReports.map(({ run, report }, id): SeenJob => {
    return { id, suite: run.id, isOfActions: true, report };
  });
  const jobs = jobReports.map(({ attempt, report: { name, state } }, id): WorkflowJob => ({
    seen: id,
    name,
    attempt,
    state,
  }));
  const jobsOf = groupBy(jobs, ({ seen: id }) => jobReports[id]!.run.id);
  const verdicts = verdictsOn(seen, { runs, jobsOf });
  return seen
    .map(({ id, report }) => ({ ...report, state: verdicts.get(id) ?? report.state }))
    .filter(({ state }) => state !== 'superseded');
}

function listedJobs(
  run: ListedRun,
  inOrder: Statuses,
  byAddress: ReadonlyMap<JobAddress | null, Statuses>,
): readonly JobReport[] {
  const own = (job: ListedJob): Statuses => byAddress.get(job.address) ?? [];
  const prefix = run.jobs.map((job) => prefixOf(run, job, own(job))).find((found) => found !== null) ?? null;
  return run.jobs.flatMap((job): JobReport[] => {
    const name = prefix === null ? own(job)[0]?.name : `${prefix}${endOfName(run, job)}`;
    const status = own(job).findLast((one) => one.name === name) ?? inOrder.findLast((one) => one.name === name);
    if (status === undefined) return [];
    const report = { ...status, state: job.state, description: whyWithoutResult(run, job) ?? status.description };
    return [{ run, attempt: job.attempt, report }];
  });
}

function whyWithoutResult({ file }: ListedRun, { state, wasTaken }: ListedJob): string | null {
  if (state === 'cancelled') return cancelledByCi(file);
  if (state !== 'runner_lost') return null;
  return wasTaken === false ? 'No runner took the job' : 'Its runner was lost: the log breaks off';
}

/**
 * The beginning of a job's status names, which have the form `<workflow> / <job> (<event>)`. It is found from the
 * statuses, because runs do not have the name of their workflow.
 */
function prefixOf(run: ListedRun, job: ListedJob, own: Statuses): string | null {
  const end = endOfName(run, job);
  const status = own.find(({ name }) => name.endsWith(end));
  return status?.name.slice(0, -end.length) ?? null;
}

function endOfName({ event }: ListedRun, { name }: ListedJob): string {
  return ` / ${name} (${event})`;
}
