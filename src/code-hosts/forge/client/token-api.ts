import { HostUnavailable } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { ListTooLong, listAt, textAt, unreadable } from '../../reading';
import type { RepositoryPath } from '../../repository-path';
import { Slots } from '../../../platform/slots';
import type { TokenGate } from '../../token-gate';
import { exchange, type HostQuery, type HostRequest, type HttpMethod } from './exchange';
import {
  endOfLimit,
  type HostAnswer,
  type HostRefusal,
  type HostReply,
  rateLimited,
  hostRefusalOf,
  withSecondTry,
} from './host-answer';

const AT_A_TIME = 20;
const MOST_PAGES = 100;

export interface TokenApiParts {
  readonly host: string;
  /** The URL of the API, without a slash at the end. */
  readonly apiUrl: string;
  readonly token: string;
  /** The gate for the token, which git shares. */
  readonly gate: TokenGate;
  readonly clock: Clock;
}

/** The API conventions of one kind of code host. */
export interface ApiDialect {
  readonly authorization: (token: string) => Readonly<Record<string, string>>;
  /** The largest page size, and the name of the parameter for it. */
  readonly pageSize: number;
  readonly pageSizeField: string;
  /** The field of `/user` that comments show as their author. */
  readonly loginField: string;
  /** Reads the message in a refusal; null if there is none. */
  readonly messageIn: (body: unknown) => string | null;
}

interface TokenReply extends HostReply {
  readonly headers: Headers;
}

type TokenAnswer = TokenReply | HostRefusal;

/**
 * A REST API with one token. A refusal by the server is returned as an answer. HostUnavailable is thrown if no usable
 * answer arrives: no answer at all, a server error, a rate limit, or no access. Every request ends within ten seconds
 * after it is sent.
 */
export abstract class TokenApi {
  private readonly slots = new Slots(AT_A_TIME);
  private readonly authorization: Readonly<Record<string, string>>;
  private closedUntil: Date | null = null;
  private login: string | null | undefined;

  constructor(
    protected readonly parts: TokenApiParts,
    private readonly dialect: ApiDialect,
  ) {
    this.authorization = dialect.authorization(parts.token);
  }

  get host(): string {
    return this.parts.host;
  }

  /**
   * The server's description of the repository; null when no repository has this name, or the service cannot see it.
   */
  abstract findRepository(repository: RepositoryPath): Promise<unknown>;

  /** The path prefix of all requests about the repository. */
  protected abstract placeOf(repository: RepositoryPath): Promise<string>;

  /** The refusal for a redirected request, because the repository has another name now. */
  protected abstract elsewhere(what: string): HostRefusal;

  protected abstract hasMore(reply: TokenReply, count: number): Promise<boolean> | boolean;

  /** `path`: below the repository, such as `labels`; empty for the repository itself. */
  async ask(
    repository: RepositoryPath,
    method: HttpMethod,
    path: string,
    request: HostRequest = {},
  ): Promise<TokenAnswer> {
    const place = await this.placeOf(repository);
    return this.askServer(method, path === '' ? place : `${place}/${path}`, request);
  }

  async askServer(method: HttpMethod, path: string, request: HostRequest = {}): Promise<TokenAnswer> {
    const { host, clock, gate } = this.parts;
    if (this.closedUntil !== null && this.closedUntil > clock.now()) throw rateLimited(host, this.closedUntil);
    gate.pass();
    const { status, headers, body } = await withSecondTry(method === 'GET', () =>
      this.slots.run(() => exchange({ ...this.parts, authorization: this.authorization }, method, path, request)),
    );
    const message = this.dialect.messageIn(body) ?? `it answered with ${status}`;
    if (status === 401) throw gate.refused(message);
    // A server or proxy error says nothing about the token.
    if (status < 500) gate.taken();
    if (status === 429) {
      this.closedUntil = endOfLimit(headers.get('retry-after'), clock.now());
      throw rateLimited(host, this.closedUntil);
    }
    const what = `${method} ${path}`;
    if (status < 300) return { type: 'answered', status, headers, body };
    return status < 400 ? this.elsewhere(what) : hostRefusalOf(host, what, status, message);
  }

  /**
   * The reply, or null when the server says 404. For a repository that the service cannot see, the server answers 404
   * to every request, so after a 404 the repository itself is checked.
   */
  async read(repository: RepositoryPath, path: string, query?: HostQuery): Promise<TokenReply | null> {
    const answer = await this.ask(repository, 'GET', path, { query });
    if (answer.type === 'answered') return answer;
    if (answer.status === 403) throw this.noAccess(`GET ${path}: ${answer.message}`);
    if (answer.status === 404 && (await this.findRepository(repository)) === null) throw this.missing(repository);
    return null;
  }

  /**
   * Like `ask`, but with the items of all pages in one list. `field`: the field of a page that has the items; empty if
   * the page is a list.
   */
  async askAll(repository: RepositoryPath, path: string, query: HostQuery = {}, field = ''): Promise<HostAnswer> {
    const items: unknown[] = [];
    for (let page = 1; page <= MOST_PAGES; page++) {
      const answer = await this.ask(repository, 'GET', path, { query: this.pageOf(query, page) });
      if (answer.type === 'refused') return answer;
      const found = Array.isArray(answer.body) ? listAt(answer.body) : listAt(answer.body, field);
      items.push(...found);
      if (!(await this.hasMore(answer, found.length))) return { ...answer, body: items };
    }
    throw this.tooLong(path);
  }

  /**
   * The items of all pages, in the server's order; null on 404. A list that is too long is an error, because its last
   * item may be the decisive one. `isWhole`: a check that the last page is complete.
   */
  async readAll(
    repository: RepositoryPath,
    path: string,
    query: HostQuery = {},
    isWhole?: (page: number, found: number, items: number) => Promise<boolean>,
  ): Promise<readonly unknown[] | null> {
    const items: unknown[] = [];
    for (let page = 1; page <= MOST_PAGES; page++) {
      const answer = await this.readPage(repository, path, page, query);
      if (answer === null) return null;
      items.push(...answer.items);
      if (answer.hasMore) continue;
      if ((await isWhole?.(page, answer.items.length, items.length)) ?? true) return items;
    }
    throw this.tooLong(path);
  }

  async readPage(
    repository: RepositoryPath,
    path: string,
    page: number,
    query: HostQuery = {},
  ): Promise<{ readonly items: readonly unknown[]; readonly hasMore: boolean } | null> {
    const answer = await this.read(repository, path, this.pageOf(query, page));
    if (answer === null) return null;
    if (!Array.isArray(answer.body)) throw unreadable(this.host, `the list of ${path}`, 'as something else');
    return { items: answer.body, hasMore: await this.hasMore(answer, answer.body.length) };
  }

  /** The login under which the service writes; null if the token may not read it. */
  async ownLogin(): Promise<string | null> {
    if (this.login !== undefined) return this.login;
    const answer = await this.askServer('GET', '/user');
    this.login = answer.type === 'answered' ? textAt(answer.body, this.dialect.loginField) : null;
    return this.login;
  }

  /** Whether the login is the service's own; null if the token may not read its own login. */
  async isOwnLogin(login: string): Promise<boolean | null> {
    const own = await this.ownLogin();
    return own === null ? null : own.toLowerCase() === login.toLowerCase();
  }

  protected missing({ owner, name }: RepositoryPath): HostUnavailable {
    return this.noAccess(`${owner}/${name} is not there, or the service has no access to it`);
  }

  private noAccess(what: string): HostUnavailable {
    return new HostUnavailable(this.host, 'no_access', `${this.host}: ${what}`);
  }

  private tooLong(path: string): ListTooLong {
    return new ListTooLong(this.host, path, `${MOST_PAGES} pages`);
  }

  private pageOf(query: HostQuery, page: number): HostQuery {
    const { pageSizeField, pageSize } = this.dialect;
    return { ...query, [pageSizeField]: pageSize, page };
  }
}
