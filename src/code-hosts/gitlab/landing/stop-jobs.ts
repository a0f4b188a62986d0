import type { HostRepository, TestingBranchTip } from '../../../domain/code-host.port';
import { numberAt, textAt } from '../../reading';
import type { GitLabApi } from '../client/gitlab-api';
import { sourceBranchOf } from '../reading/merge-request';

const UNFINISHED = ['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'manual', 'scheduled'];

/**
 * Cancels the pipelines of a testing branch and of the merge request that was opened from it. If GitLab refuses, a
 * pipeline runs to its end.
 */
export async function stopGitLabPipelines(
  api: GitLabApi,
  repository: HostRepository,
  { branch, commit }: TestingBranchTip,
): Promise<void> {
  for (const one of (await api.readAll(repository, 'pipelines', { sha: commit })) ?? []) {
    const id = numberAt(one, 'id');
    if (id === null || !UNFINISHED.includes(textAt(one, 'status') ?? '')) continue;
    if (await isOf(api, repository, branch, textAt(one, 'ref'))) {
      await api.ask(repository, 'POST', `pipelines/${id}/cancel`);
    }
  }
}

/** Whether a pipeline with that ref belongs to the branch. The ref may also name a merge request by its number. */
async function isOf(api: GitLabApi, repository: HostRepository, branch: string, ref: string | null): Promise<boolean> {
  if (ref === branch) return true;
  const number = /^refs\/merge-requests\/(\d+)\/head$/.exec(ref ?? '')?.[1];
  if (number === undefined) return false;
  const answer = await api.read(repository, `merge_requests/${number}`);
  return answer !== null && sourceBranchOf(answer.body) === branch;
}
