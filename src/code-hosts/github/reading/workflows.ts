import type { CommitState, HostRepository } from '../../../domain/code-host.port';
import { listAt, numberAt, textAt } from '../../reading';
import type { GitHubApi } from '../client/github-api';
import { checkStateOf } from './statuses';
import {
  type SeenJob,
  type SettlingFacts,
  unclearIn,
  verdictsOn,
  cancelledByCi,
  type WorkflowJob,
  type WorkflowRun,
} from '../../counting-jobs';

const NOTHING_KNOWN: SettlingFacts = { runs: [], jobsOf: new Map() };

/**
 * The check runs of a commit, with the state `superseded` if they do not count. If the names do not show which jobs
 * count, GitHub Actions is asked for its workflow runs and jobs. Without the permission to read these, the newest check
 * run of a name counts in each suite.
 */
export async function settleCheckRuns(
  api: GitHubApi,
  repository: HostRepository,
  commit: string,
  seen: readonly SeenJob[],
  failures: 'explained' | 'as they are',
): Promise<readonly SeenJob[]> {
  const unclear = unclearIn(seen);
  const facts = unclear.some(({ isOfActions }) => isOfActions)
    ? await readFacts(api, repository, commit, unclear)
    : NOTHING_KNOWN;
  const verdicts = verdictsOn(unclear, facts);
  const settled: SeenJob[] = [];
  for (const one of seen) {
    const { id, report } = one;
    const counted = verdicts.get(id) ?? report.state;
    const isAsked = one.isOfActions && failures === 'explained';
    const { state, why } = isAsked ? await explained(api, repository, id, counted) : { state: counted, why: null };
    const file = facts.runs.find(({ suite }) => suite === one.suite)?.file ?? null;
    const description = state === 'cancelled' ? cancelledByCi(file) : (why ?? report.description);
    // The phase is higher than the phase of an unconfirmed webhook report, which waited for this answer.
    const phase = state === 'superseded' ? 4 : report.isUnconfirmed ? 3 : null;
    settled.push({
      ...one,
      report: { ...report, state, description, ...(phase !== null && { hostId: `${id}-${phase}` }) },
    });
  }
  return settled;
}

const TIME_LIMIT = /exceeded the maximum execution time/i;
const LOST_RUNNER =
  /lost communication with the server|received a shutdown signal|encountered an error while running your job|was not acquired by runner/i;

/**
 * Finds out the reason of a result by the annotations of a job: GitHub says `cancelled` for a job's own time limit, and
 * `failure` if the runner of a job was lost.
 */
async function explained(
  api: GitHubApi,
  repository: HostRepository,
  checkRun: number,
  state: CommitState,
): Promise<{ readonly state: CommitState; readonly why: string | null }> {
  if (state !== 'cancelled' && state !== 'failure') return { state, why: null };
  const route = 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations';
  const list = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : []);
  const annotations = await api.readAllAllowed(repository, route, { check_run_id: checkRun }, list);
  const words = state === 'cancelled' ? TIME_LIMIT : LOST_RUNNER;
  const why = (annotations ?? []).map((one) => textAt(one, 'message') ?? '').find((text) => words.test(text));
  return why === undefined ? { state, why: null } : { state: state === 'cancelled' ? 'timed_out' : 'runner_lost', why };
}

async function readFacts(
  api: GitHubApi,
  repository: HostRepository,
  commit: string,
  unclear: readonly SeenJob[],
): Promise<SettlingFacts> {
  const listed = await api.readAllAllowed(
    repository,
    'GET /repos/{owner}/{repo}/actions/runs',
    { head_sha: commit },
    (body) => listAt(body, 'workflow_runs'),
  );
  const runs = (listed ?? []).flatMap(workflowRunIn);
  const jobsOf = new Map<number, readonly WorkflowJob[]>();
  for (const { id, suite } of runs) {
    if (!unclear.some((one) => one.suite === suite)) continue;
    const jobs = await api.readAllAllowed(
      repository,
      'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
      { run_id: id, filter: 'all' },
      (body) => listAt(body, 'jobs'),
    );
    jobsOf.set(id, (jobs ?? []).flatMap(jobIn));
  }
  return { runs, jobsOf };
}

function workflowRunIn(body: unknown): readonly WorkflowRun[] {
  const id = numberAt(body, 'id');
  const suite = numberAt(body, 'check_suite_id');
  const path = textAt(body, 'path');
  const event = textAt(body, 'event');
  if (id === null || suite === null || path === null || event === null) return [];
  // GitHub may append `@` and a ref to the file. Only the ref is removed, because a file name may contain `@`, too.
  return [{ id, suite, file: path.replace(/(\.ya?ml)@.*$/, '$1'), event }];
}

function jobIn(body: unknown): readonly WorkflowJob[] {
  const name = textAt(body, 'name');
  const checkRun = Number(/\/check-runs\/(\d+)$/.exec(textAt(body, 'check_run_url') ?? '')?.[1] ?? Number.NaN);
  if (name === null || Number.isNaN(checkRun)) return [];
  return [{ seen: checkRun, name, attempt: numberAt(body, 'run_attempt') ?? 1, state: checkStateOf(body) }];
}
