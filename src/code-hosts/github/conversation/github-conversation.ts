import { Logger } from '@nestjs/common';
import {
  type HostRepository,
  HostUnavailable,
  type PullRequestConversation,
  type Reaction,
  type ShownStatus,
  type StateLabel,
  type TestingPullRequest,
} from '../../../domain/code-host.port';
import { BoundedMap } from '../../bounded-map';
import type { GitHubApi } from '../client/github-api';
import type { GitHubAnswer } from '../client/github-answer';
import { listAt, numberAt, textAt } from '../../reading';
import { repositoryKey, type RepositoryParameters, type RepositoryRoute } from '../client/routes';
import { GitHubPeople } from './github-people';
import { OwnComments } from './own-comments';

const MOST_OPENED = 2_000;

/** What the queue shows on GitHub. Permanent refusals are only logged, because no decision depends on it. */
export class GitHubConversation implements PullRequestConversation {
  readonly people: GitHubPeople;
  readonly branchRemovalCloses = true;
  private readonly logger = new Logger(GitHubConversation.name);
  private readonly comments: OwnComments;
  /** The pull requests that this process opened, by repository and testing branch. They need not be searched for. */
  private readonly opened = new BoundedMap<number>(MOST_OPENED);

  constructor(private readonly api: GitHubApi) {
    this.people = new GitHubPeople(api);
    this.comments = new OwnComments(api);
  }

  async ensureComment(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    const id = await this.comments.find(repository, number, marker);
    if (id === null) return this.comment(repository, number, marker, body);
    const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
    const answer = await this.api.ask(repository, route, { comment_id: id, body });
    if (answer.type === 'answered') return;
    this.comments.forget(repository, number, marker);
    // Somebody deleted it.
    if (answer.status === 404) return this.comment(repository, number, marker, body);
    this.note(`comment on #${number}`, answer);
  }

  async showStatus(repository: HostRepository, commit: string, shown: ShownStatus): Promise<void> {
    const { name, state, description, url } = shown;
    await this.write(repository, `status on ${commit}`, 'POST /repos/{owner}/{repo}/statuses/{sha}', {
      ...{ sha: commit, context: name, state, description },
      ...(url === null ? {} : { target_url: url }),
    });
  }

  async openTestingPullRequest(repository: HostRepository, pullRequest: TestingPullRequest): Promise<void> {
    const { branch: head, targetBranch: base, title, body } = pullRequest;
    const route = 'POST /repos/{owner}/{repo}/pulls';
    let answer = await this.api.ask(repository, route, { head, base, title, body, draft: true });
    // Some plans have no drafts.
    if (answer.type === 'refused' && !isThere(answer) && /draft/i.test(wordsOf(answer)))
      answer = await this.api.ask(repository, route, { head, base, title, body });
    const number = answer.type === 'answered' ? numberAt(answer.body, 'number') : null;
    if (number !== null) this.opened.set(branchKey(repository, head), number);
    // GitHub itself refuses a second one for the branch.
    if (answer.type === 'answered' || isThere(answer)) return;
    const what = `${this.api.host} did not open a pull request for ${head}: ${wordsOf(answer)}`;
    throw new HostUnavailable(this.api.host, 'server_error', what);
  }

  async closeTestingPullRequest(repository: HostRepository, branch: string): Promise<void> {
    const route = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}';
    const known = this.opened.get(branchKey(repository, branch));
    this.opened.delete(branchKey(repository, branch));
    for (const number of known === undefined ? await this.openFor(repository, branch) : [known])
      await this.write(repository, `close #${number}`, route, { pull_number: number, state: 'closed' });
  }

  async react(repository: HostRepository, _number: number, commentId: string, content: Reaction): Promise<void> {
    const route = 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions';
    await this.write(repository, `reaction to ${commentId}`, route, { comment_id: Number(commentId), content });
  }

  async reply(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    const id = await this.comments.find(repository, number, marker);
    if (id === null) await this.comment(repository, number, marker, body);
  }

  async removeLabel(repository: HostRepository, number: number, name: string): Promise<void> {
    const route = 'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}';
    const answer = await this.api.ask(repository, route, { issue_number: number, name });
    if (answer.type === 'refused' && answer.status !== 404) this.note(`removal of the label ${name}`, answer);
  }

  async showStateLabel(repository: HostRepository, number: number, { prefix, name }: StateLabel): Promise<void> {
    const on = { issue_number: number };
    const listed = await this.api.read(repository, 'GET /repos/{owner}/{repo}/issues/{issue_number}/labels', on);
    const ours = listAt(listed?.body)
      .map((label) => textAt(label, 'name') ?? '')
      .filter((label) => label.toLowerCase().startsWith(prefix));
    // GitHub makes a label that the repository does not have yet.
    if (name !== null && !ours.some((label) => label.toLowerCase() === name)) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels';
      await this.write(repository, `label ${name} on #${number}`, route, { ...on, labels: [name] });
    }
    for (const other of ours) if (other.toLowerCase() !== name) await this.removeLabel(repository, number, other);
  }

  private async comment(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
    await this.api.requireRoomForComment(repository);
    const answer = await this.write(repository, `comment on #${number}`, route, { issue_number: number, body });
    const id = answer.type === 'answered' ? numberAt(answer.body, 'id') : null;
    if (id !== null) this.comments.remember(repository, number, marker, id);
  }

  private async openFor(repository: HostRepository, branch: string): Promise<readonly number[]> {
    const head = `${repository.owner}:${branch}`;
    const answer = await this.api.read(repository, 'GET /repos/{owner}/{repo}/pulls', { head, state: 'open' });
    return listAt(answer?.body)
      .map((one) => numberAt(one, 'number'))
      .filter((number) => number !== null);
  }

  private async write<R extends RepositoryRoute>(
    repository: HostRepository,
    what: string,
    route: R,
    parameters: RepositoryParameters<R>,
  ): Promise<GitHubAnswer> {
    const answer = await this.api.ask(repository, route, parameters);
    if (answer.type === 'refused') this.note(what, answer);
    return answer;
  }

  private note(what: string, answer: GitHubAnswer): void {
    this.logger.warn(`${this.api.host} refused the ${what}: ${wordsOf(answer)}`);
  }
}

function branchKey(repository: HostRepository, branch: string): string {
  return `${repositoryKey(repository)} ${branch}`;
}

/** GitHub's message, with the details that "Validation Failed" leaves out. */
function wordsOf(answer: GitHubAnswer): string {
  if (answer.type === 'answered') return '';
  const more = listAt(answer.body, 'errors').map((error) => textAt(error, 'message') ?? '');
  return [answer.message, ...more].filter((text) => text !== '').join(' ');
}

/** Whether an earlier try opened it already, and its answer was lost. */
function isThere(answer: GitHubAnswer): boolean {
  return /pull request already exists/i.test(wordsOf(answer));
}
