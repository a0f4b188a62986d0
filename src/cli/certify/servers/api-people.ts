import { numberAt, textAt } from '../../../code-hosts/reading';
import { type ApiRequests, itemsOfPages } from './api-requests';
import type { CertifiedRepository, HostAccount, HostPeopleAt, SeenComment } from './tested-server';

const PAGE = 100;

/** People in one repository, by the API. */
export abstract class ApiPeople {
  constructor(
    protected readonly api: ApiRequests,
    protected readonly owner: HostAccount,
    readonly repository: CertifiedRepository,
    protected readonly path: string,
  ) {}

  /** The items of all pages. `path` ends with a query, or with its question mark. */
  protected all(path: string): Promise<readonly unknown[]> {
    return itemsOfPages(PAGE, (page) => this.need('GET', `${path}&per_page=${PAGE}&page=${page}`));
  }

  protected need(method: string, below: string, body?: object, { token } = this.owner): Promise<unknown> {
    return this.api.need(method, `${this.path}${below}`, { token, body });
  }
}

/** People in a repository of a server with the paths of GitHub's API. */
export abstract class GitHubLikePeople extends ApiPeople {
  constructor(api: ApiRequests, owner: HostAccount, repository: CertifiedRepository) {
    super(api, owner, repository, `/repos/${repository.owner}/${repository.name}`);
  }

  /** The items of a list that a row fills. `path`: without a query. */
  protected abstract listed(path: string): Promise<readonly unknown[]>;

  async useUpNumber(): Promise<void> {
    await this.need('POST', '/issues', { title: 'Filler' });
  }

  async openPull({ as, ...body }: Parameters<HostPeopleAt['openPull']>[0]): Promise<number> {
    return numberAt(await this.need('POST', '/pulls', body, as), 'number') ?? 0;
  }

  async openPulls(): Promise<readonly number[]> {
    const open = await this.all('/pulls?state=open');
    return open.map((one) => numberAt(one, 'number') ?? 0).toSorted((a, b) => a - b);
  }

  async comment(number: number, body: string, as: HostAccount): Promise<string> {
    return String(numberAt(await this.need('POST', `/issues/${number}/comments`, { body }, as), 'id'));
  }

  async comments(number: number): Promise<readonly SeenComment[]> {
    return (await this.listed(`/issues/${number}/comments`)).map((one) => ({
      id: String(numberAt(one, 'id')),
      author: textAt(one, 'user', 'login') ?? '',
      body: textAt(one, 'body') ?? '',
    }));
  }

  async reactions(commentId: string): Promise<readonly string[]> {
    const listed = await this.listed(`/issues/comments/${commentId}/reactions`);
    return listed.map((one) => textAt(one, 'content') ?? '');
  }

  async labels(number: number): Promise<readonly string[]> {
    const listed = await this.listed(`/issues/${number}/labels`);
    return listed.map((one) => textAt(one, 'name') ?? '').toSorted();
  }

  async setDefaultBranch(branch: string): Promise<void> {
    await this.need('PATCH', '', { default_branch: branch });
  }
}
