import type { HostRepository, TestingBranchTip } from '../../../domain/code-host.port';
import { listAt, numberAt, textAt } from '../../reading';
import type { GiteaApi } from '../client/gitea-api';
import { giteaHeadBranchOf } from '../reading/pull-request';
import { hasRunEnded, listRuns } from '../reading/workflow-runs';

/** Cancels the workflow runs of a testing branch and of its pull request, if the server has a call for that. */
export async function stopGiteaJobs(
  api: GiteaApi,
  repository: HostRepository,
  { branch, commit }: TestingBranchTip,
): Promise<void> {
  for (const run of (await listRuns(api, repository, commit)) ?? []) {
    const id = numberAt(run, 'id');
    if (id === null || hasRunEnded(run)) continue;
    if (!(await isOf(api, repository, branch, run))) continue;
    const answer = await api.ask(repository, 'POST', `actions/runs/${id}/cancel`);
    // Gitea before 1.28 does not have the call to cancel a run.
    if (answer.type === 'refused' && answer.status !== 409) return;
  }
}

/**
 * Whether a run belongs to the testing branch. In a run, Gitea names the pull request and its branch. Forgejo has one
 * string, which is the branch, or `#7` for a pull request.
 */
async function isOf(api: GiteaApi, repository: HostRepository, branch: string, run: unknown): Promise<boolean> {
  if (textAt(run, 'head_branch') === branch || textAt(run, 'prettyref') === branch) return true;
  if (listAt(run, 'pull_requests').some((one) => isHere(one) && textAt(one, 'head', 'ref') === branch)) return true;
  const number = /^#(\d+)$/.exec(textAt(run, 'prettyref') ?? '')?.[1];
  if (number === undefined) return false;
  const answer = await api.read(repository, `pulls/${number}`);
  return answer !== null && giteaHeadBranchOf(answer.body) === branch;
}

/** Whether the head branch is in the repository itself, because a fork may have a branch with the same name. */
function isHere(pullRequest: unknown): boolean {
  return numberAt(pullRequest, 'head', 'repo', 'id') === numberAt(pullRequest, 'base', 'repo', 'id');
}
