import type { HostRepository, PullRequestObservation } from '../../../domain/code-host.port';
import type { GitHubApi } from '../client/github-api';
import { textAt } from '../../reading';
import type { GitHubPeople } from '../conversation/github-people';
import type { ToldPushers } from '../told-pushers';
import type { Opinion } from './reviews';

export interface LastPushParts {
  readonly api: GitHubApi;
  readonly people: GitHubPeople;
  /** The pushers that deliveries have named; null if no repository is registered. */
  readonly told: Pick<ToldPushers, 'of'> | null;
}

/** Whether somebody who did not push the head approves it. */
export async function isLastPushApproved(
  parts: LastPushParts,
  repository: HostRepository,
  seen: PullRequestObservation,
  approving: readonly Opinion[],
): Promise<boolean> {
  const ofHead = approving.filter(({ commit }) => commit === seen.head);
  if (ofHead.length === 0) return false;
  const pushers = await possiblePushers(parts, repository, seen);
  return ofHead.some(({ login }) => !pushers.includes(login.toLowerCase()));
}

/**
 * The logins that may have pushed the head, in lower case. For a first head, a delivery names only the person who
 * opened the pull request, and GitHub records pushes only for branches of the repository. If the pusher is unknown,
 * approvals of everybody who may have pushed do not count.
 */
async function possiblePushers(
  { api, people, told }: LastPushParts,
  repository: HostRepository,
  seen: PullRequestObservation,
): Promise<readonly string[]> {
  const { number, head, author } = seen;
  const sender = (await told?.of({ repositoryId: repository.id, number, head })) ?? null;
  if (sender !== null && sender !== author) return [sender.toLowerCase()];
  const record = await people.headRecordOf(repository, seen);
  if (record !== null && record.pushedBy !== null) return [record.pushedBy.toLowerCase()];
  const commit = await api.read(repository, 'GET /repos/{owner}/{repo}/commits/{ref}', { ref: head });
  const makers = [textAt(commit?.body, 'author', 'login'), textAt(commit?.body, 'committer', 'login')];
  return [sender, ...makers].filter((login) => login !== null).map((login) => login.toLowerCase());
}
