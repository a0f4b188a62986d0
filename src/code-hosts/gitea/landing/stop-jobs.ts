import type { HostRepository, TestingBranchTip } from '../../../domain/code-host.port';
import { listAt, numberAt, textAt } from '../../reading';
import type { GiteaApi } from '../client/gitea-api';
import { giteaHeadBranchOf } from '../reading/pull-request';

const ENDED = ['completed', 'success', 'failure', 'cancelled', 'skipped'];

/** Cancels the workflow runs of a testing branch and of its pull request, if the server has a call for that. */
export async function stopGiteaJobs(
  api: GiteaApi,
  repository: HostRepository,
  { branch, commit }: TestingBranchTip,
): Promise<void> {
  const listed = await api.askAll(repository, 'actions/runs', { head_sha: commit }, 'workflow_runs');
  if (listed.type === 'refused') return;
  for (const run of listed.body as readonly unknown[]) {
    const id = numberAt(run, 'id');
    if (id === null || ENDED.includes(textAt(run, 'status') ?? '')) continue;
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
