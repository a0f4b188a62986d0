import type { CiProgress, HostRepository } from '../../../domain/code-host.port';
import { listAt, textAt } from '../../reading';
import type { GitHubApi } from '../client/github-api';

/**
 * The progress of CI, read from the workflow runs of GitHub Actions; null if the service may not read them.
 * `namesOfJobs` is empty, because the form of a check's name does not show whether it is a job.
 */
export async function readActionsProgress(
  api: GitHubApi,
  repository: HostRepository,
  commit: string,
): Promise<CiProgress | null> {
  const route = 'GET /repos/{owner}/{repo}/actions/runs';
  const runs = await api.readAllAllowed(repository, route, { head_sha: commit }, (body) =>
    listAt(body, 'workflow_runs'),
  );
  if (runs === null) return null;
  const isDone = runs.every((run) => textAt(run, 'status') === 'completed');
  return { isDone, runs: runs.length, namesOfJobs: [] };
}
