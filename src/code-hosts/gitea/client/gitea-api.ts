import { HostUnavailable } from '../../../domain/code-host.port';
import type { HostQuery } from '../../forge/client/exchange';
import { type ApiDialect, TokenApi, type TokenApiParts } from '../../forge/client/token-api';
import { missingIn, numberAt, textAt, unreadable } from '../../reading';
import type { RepositoryPath } from '../../repository-path';

const DIALECT: ApiDialect = {
  authorization: (token) => ({ authorization: `token ${token}` }),
  /** The default maximum of most servers. */
  pageSize: 50,
  pageSizeField: 'limit',
  loginField: 'login',
  messageIn: (body) => textAt(body, 'message') || null,
};
const RENAMED =
  'the repository has another name or owner now. Register the repository under its new name, or rename it back';

/** The REST API of Gitea and Forgejo. */
export class GiteaApi extends TokenApi {
  /** The server's largest page size; null if the server does not say, undefined before it is asked. */
  private mostItems: number | null | undefined;

  constructor(parts: TokenApiParts) {
    super(parts, DIALECT);
  }

  /** The complete URL. URLs in answers may begin with the path. */
  absolute(address: string): string {
    return address.startsWith('/') ? new URL(address, this.parts.apiUrl).href : address;
  }

  async findRepository(repository: RepositoryPath): Promise<unknown> {
    try {
      const answer = await this.ask(repository, 'GET', '');
      if (answer.type === 'refused') return null;
      const missing = missingIn(answer.body, { full_name: 'text' });
      if (missing === null) return answer.body;
      throw unreadable(this.host, `the repository ${repository.owner}/${repository.name}`, `without ${missing}`);
    } catch (error) {
      if (error instanceof HostUnavailable && error.kind === 'another_repository') return null;
      throw error;
    }
  }

  /**
   * Like `readAll`, for a list whose pages may leave out items, so that a short or even empty page is not the end of
   * the list. `mostHidden`: the maximum number of items left out.
   */
  readAllWithHidden(
    repository: RepositoryPath,
    path: string,
    query: HostQuery,
    mostHidden: () => Promise<number>,
  ): Promise<readonly unknown[] | null> {
    let hidden: number | undefined;
    return this.readAll(repository, path, query, async (page, found, items) => {
      hidden ??= await mostHidden();
      return hidden === 0 || (found === 0 && page * (await this.readPageSize()) > items + hidden);
    });
  }

  protected placeOf({ owner, name }: RepositoryPath): Promise<string> {
    return Promise.resolve(`/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`);
  }

  protected elsewhere(what: string): never {
    throw new HostUnavailable(this.host, 'another_repository', `${this.host}: ${what}: ${RENAMED}`);
  }

  /**
   * Whether another page follows. Servers send `Link` with few of their lists, and some totals count only the page, so
   * the last page is recognised by not being full.
   */
  protected async hasMore(_reply: unknown, count: number): Promise<boolean> {
    if (count === 0) return false;
    const pageSize = await this.readPageSize();
    return this.mostItems === null || count >= pageSize;
  }

  /** The number of items in a full page. */
  private async readPageSize(): Promise<number> {
    if (this.mostItems === undefined) {
      const answer = await this.askServer('GET', '/settings/api');
      const most = answer.type === 'answered' ? numberAt(answer.body, 'max_response_items') : null;
      this.mostItems = most !== null && most > 0 ? most : null;
    }
    return Math.min(DIALECT.pageSize, this.mostItems ?? DIALECT.pageSize);
  }
}
