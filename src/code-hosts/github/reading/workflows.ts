import type { HostRepository } from '../../../domain/code-host.port';
import { listAt, numberAt, textAt } from '../../reading';
import type { GitHubApi } from '../client/github-api';
import {
  type SeenCheckRun,
  type SettlingFacts,
  supersededIn,
  unclearIn,
  type WorkflowJob,
  type WorkflowRun,
} from './counting-jobs';

const NOTHING_KNOWN: SettlingFacts = { runs: [], jobsOf: new Map() };

/**
 * The check runs of a commit, `superseded` if they do not count. If the names do not say which jobs count, this asks GitHub Actions for its
 * workflow runs and jobs. Without the permission to read these, the newest check run of a name counts in each suite.
 */
export async function settleCheckRuns(
  api: GitHubApi,
  repository: HostRepository,
  commit: string,
  seen: readonly SeenCheckRun[],
): Promise<readonly SeenCheckRun[]> {
  const unclear = unclearIn(seen);
  const facts = unclear.some(({ isOfActions }) => isOfActions)
    ? await readFacts(api, repository, commit, unclear)
    : NOTHING_KNOWN;
  const superseded = supersededIn(unclear, facts);
  return seen.map((one) => {
    const { id, report } = one;
    if (superseded.has(id)) return { ...one, report: { ...report, state: 'superseded', hostId: `${id}-4` } };
    // A webhook about it has waited for this answer.
    return report.state === 'cancelled' ? { ...one, report: { ...report, hostId: `${id}-3` } } : one;
  });
}

async function readFacts(
  api: GitHubApi,
  repository: HostRepository,
  commit: string,
  unclear: readonly SeenCheckRun[],
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
  // GitHub may append `@` and a ref. The name of a file may contain `@`, too: only the ref goes.
  return [{ id, suite, file: path.replace(/(\.ya?ml)@.*$/, '$1'), event }];
}

function jobIn(body: unknown): readonly WorkflowJob[] {
  const name = textAt(body, 'name');
  const checkRun = Number(/\/check-runs\/(\d+)$/.exec(textAt(body, 'check_run_url') ?? '')?.[1] ?? Number.NaN);
  if (name === null || Number.isNaN(checkRun)) return [];
  return [{ checkRun, name, attempt: numberAt(body, 'run_attempt') ?? 1 }];
}
