import type { HostRepository, RewriteQuestion } from '../../../domain/code-host.port';
import { bringsSameChanges } from '../../git/same-changes';
import type { GitHost } from '../../git/git-host';
import type { GitHubPeople } from '../conversation/github-people';

/** What GitHub commits and pushes by itself is theirs. */
const GITHUB = ['web-flow', 'github[bot]'];

interface Parts {
  readonly people: Pick<GitHubPeople, 'isOwnLogin'>;
  byGit<Result>(repository: HostRepository, work: (git: GitHost) => Promise<Result>): Promise<Result>;
}

/** Whether GitHub made a head out of another one, as it does with the layers above those of a stack that it merges. */
export async function isRewriteByGitHub(parts: Parts, question: RewriteQuestion): Promise<boolean> {
  for (const pusher of question.pushers) {
    if (pusher === null) return false;
    if (!GITHUB.includes(pusher.toLowerCase()) && (await parts.people.isOwnLogin(pusher)) !== true) return false;
  }
  const { repository } = question;
  return parts.byGit(repository, async (git) => bringsSameChanges(await git.clone(repository), question));
}
