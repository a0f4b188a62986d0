import type { HostRepository, TestingBranchTip } from '../../../domain/code-host.port';
import { listAt, numberAt, textAt } from '../../reading';
import type { GitHubApi } from '../client/github-api';

/**
 * Cancels the workflow runs of a testing branch and of its pull request. Without the permission to cancel runs, they
 * run to their end.
 */
export async function stopGitHubJobs(
  api: GitHubApi,
  repository: HostRepository,
  { branch, commit }: TestingBranchTip,
): Promise<void> {
  const place = { head_sha: commit, branch };
  const listed = await api.readAllAllowed(repository, 'GET /repos/{owner}/{repo}/actions/runs', place, (body) =>
    listAt(body, 'workflow_runs'),
  );
  const home = `${repository.owner}/${repository.name}`.toLowerCase();
  for (const run of listed ?? []) {
    const id = numberAt(run, 'id');
    // Runs of forks are left out, because a fork may have a branch with the same name.
    const isOurs =
      textAt(run, 'head_branch') === branch && textAt(run, 'head_repository', 'full_name')?.toLowerCase() === home;
    if (id === null || !isOurs || textAt(run, 'status') === 'completed') continue;
    const answer = await api.ask(repository, 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel', { run_id: id });
    // A 409 means that the run has ended meanwhile. A 403 means that the permission is missing.
    if (answer.type === 'refused' && answer.status === 403) return;
  }
}
