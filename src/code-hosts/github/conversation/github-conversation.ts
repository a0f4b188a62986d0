import type { HostRepository, StateLabel, TestingPullRequest } from '../../../domain/code-host.port';
import { BoundedMap } from '../../bounded-map';
import { type ConversationCalls, HostConversation } from '../../forge/conversation/host-conversation';
import { listAt, numberAt, textAt } from '../../reading';
import type { GitHubAnswer } from '../client/github-answer';
import type { GitHubApi } from '../client/github-api';
import { repositoryKey, type RepositoryParameters, type RepositoryRoute } from '../client/routes';
import { GitHubPeople } from './github-people';

const MOST_OPENED = 2_000;
const COMMENTS = '/repos/{owner}/{repo}/issues/{issue_number}/comments';
const COMMENT = '/repos/{owner}/{repo}/issues/comments/{comment_id}';
const LABELS = '/repos/{owner}/{repo}/issues/{issue_number}/labels';

/** The queue's comments, statuses and state labels on GitHub. */
export class GitHubConversation extends HostConversation {
  constructor(private readonly api: GitHubApi) {
    super(gitHubCalls(api));
  }

  async showStateLabel(repository: HostRepository, number: number, { prefix, name }: StateLabel): Promise<void> {
    const on = { issue_number: number };
    const listed = await this.api.read(repository, `GET ${LABELS}`, on);
    const ours = listAt(listed?.body)
      .map((label) => textAt(label, 'name') ?? '')
      .filter((label) => label.toLowerCase().startsWith(prefix));
    // GitHub creates a label that the repository does not have yet.
    if (name !== null && !ours.some((label) => label.toLowerCase() === name)) {
      const answer = await this.api.ask(repository, `POST ${LABELS}`, { ...on, labels: [name] });
      this.note(`label ${name} on #${number}`, withDetails(answer));
    }
    for (const other of ours) if (other.toLowerCase() !== name) await this.removeLabel(repository, number, other);
  }
}

function gitHubCalls(api: GitHubApi): ConversationCalls {
  const drafts = new Drafts(api);
  const ask = async <R extends RepositoryRoute>(
    repository: HostRepository,
    route: R,
    parameters: RepositoryParameters<R>,
  ): Promise<GitHubAnswer> => withDetails(await api.ask(repository, route, parameters));
  return {
    ...{ host: api.host, sign: '#', author: ['user', 'login'] },
    people: new GitHubPeople(api),
    ownLogin: () => api.credentials.ownLogin(),
    readComments: (repository, number) =>
      api.readAll(repository, `GET ${COMMENTS}`, { issue_number: number }, (body) => listAt(body)),
    writeComment: async (repository, number, body) => {
      await api.requireCommentBudget(repository);
      return ask(repository, `POST ${COMMENTS}`, { issue_number: number, body });
    },
    editComment: (repository, _number, id, body) => ask(repository, `PATCH ${COMMENT}`, { comment_id: id, body }),
    setStatus: (repository, sha, { name, state, description, url }) =>
      ask(repository, 'POST /repos/{owner}/{repo}/statuses/{sha}', {
        ...{ sha, context: name, state, description },
        ...(url !== null && { target_url: url }),
      }),
    openDraft: (repository, pullRequest) => drafts.open(repository, pullRequest),
    isOpenAlready: ({ message }) => IS_THERE.test(message),
    findOpen: (repository, branch) => drafts.find(repository, branch),
    close: (repository, number) =>
      ask(repository, 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}', { pull_number: number, state: 'closed' }),
    addReaction: (repository, _number, comment, content) =>
      ask(repository, `POST ${COMMENT}/reactions`, { comment_id: comment, content }),
    takeLabel: (repository, number, name) => ask(repository, `DELETE ${LABELS}/{name}`, { issue_number: number, name }),
  };
}

/** GitHub itself refuses a second pull request for a branch. */
const IS_THERE = /pull request already exists/i;

/** Opens and closes the testing pull requests, as drafts. */
class Drafts {
  /**
   * The pull requests that this process opened, by repository and testing branch, so that they need not be searched
   * for.
   */
  private readonly opened = new BoundedMap<number>(MOST_OPENED);

  constructor(private readonly api: GitHubApi) {}

  async open(repository: HostRepository, { branch: head, targetBranch: base, title, body }: TestingPullRequest) {
    const route = 'POST /repos/{owner}/{repo}/pulls';
    const wanted = { head, base, title, body };
    let answer = withDetails(await this.api.ask(repository, route, { ...wanted, draft: true }));
    // Some plans have no drafts, so the pull request is then opened as an ordinary one.
    if (answer.type === 'refused' && !IS_THERE.test(answer.message) && /draft/i.test(answer.message))
      answer = withDetails(await this.api.ask(repository, route, wanted));
    const number = answer.type === 'answered' ? numberAt(answer.body, 'number') : null;
    if (number !== null) this.opened.set(branchKey(repository, head), number);
    return answer;
  }

  async find(repository: HostRepository, branch: string): Promise<readonly number[]> {
    const known = this.opened.get(branchKey(repository, branch));
    this.opened.delete(branchKey(repository, branch));
    if (known !== undefined) return [known];
    const head = `${repository.owner}:${branch}`;
    const answer = await this.api.read(repository, 'GET /repos/{owner}/{repo}/pulls', { head, state: 'open' });
    return listAt(answer?.body)
      .map((one) => numberAt(one, 'number'))
      .filter((number) => number !== null);
  }
}

function branchKey(repository: HostRepository, branch: string): string {
  return `${repositoryKey(repository)} ${branch}`;
}

/** Adds the details of a refusal to its message, which may only say "Validation Failed". */
function withDetails(answer: GitHubAnswer): GitHubAnswer {
  if (answer.type === 'answered') return answer;
  const more = listAt(answer.body, 'errors').map((error) => textAt(error, 'message') ?? '');
  return { ...answer, message: [answer.message, ...more].filter((text) => text !== '').join(' ') };
}
