import type { RewriteQuestion } from '../../../domain/code-host.port';
import type { ByGit } from '../../forge/dialect-host';
import { bringsSameChanges } from '../../git/same-changes';
import type { GitHubPeople } from '../conversation/github-people';

/** The accounts under which GitHub itself commits and pushes. */
const GITHUB = ['web-flow', 'github[bot]'];

interface Parts {
  readonly people: Pick<GitHubPeople, 'isOwnLogin'>;
  readonly byGit: ByGit;
}

/** Whether GitHub rewrote one head to the other, as it does with layers above a merged layer of a stack. */
export async function isRewriteByGitHub(parts: Parts, question: RewriteQuestion): Promise<boolean> {
  for (const pusher of question.pushers) {
    if (pusher === null) return false;
    if (!GITHUB.includes(pusher.toLowerCase()) && (await parts.people.isOwnLogin(pusher)) !== true) return false;
  }
  return parts.byGit(question, async (git) => bringsSameChanges(await git.clone(question.repository), question));
}
