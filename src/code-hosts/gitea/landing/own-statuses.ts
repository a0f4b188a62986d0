import type { LandRequest, PullRequestAtHead } from '../../../domain/code-host.port';
import { numberAt, textAt } from '../../reading';
import type { GiteaApi } from '../client/gitea-api';
import type { GiteaPullRequests } from '../reading/gitea-pull-requests';

/**
 * A branch may demand every status of the head. The queue's own status is one of them, and it is pending until the merge. So it is set to
 * `success` before the server is asked to merge.
 */
export async function passOwnStatuses(
  api: GiteaApi,
  reader: GiteaPullRequests,
  { repository, targetBranch }: LandRequest,
  { head }: PullRequestAtHead,
): Promise<void> {
  const { demandsAnyStatus } = await reader.readDemands(repository, targetBranch);
  const own = demandsAnyStatus ? await api.ownLogin() : null;
  if (own === null) return;
  const rows = (await api.readAll(repository, `commits/${head}/statuses`)) ?? [];
  const inOrder = rows.toSorted((a, b) => (numberAt(a, 'id') ?? 0) - (numberAt(b, 'id') ?? 0));
  const newest = new Map(inOrder.map((row) => [textAt(row, 'context'), row]));
  for (const [context, row] of newest) {
    const isOwnAndOpen = textAt(row, 'creator', 'login') === own && textAt(row, 'status') === 'pending';
    if (context === null || !isOwnAndOpen) continue;
    const body = { context, state: 'success', description: 'Is being merged' };
    await api.ask(repository, 'POST', `statuses/${head}`, { body });
  }
}
