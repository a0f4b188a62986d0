import { HostUnavailable } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { ListTooLong, listAt, missingIn, numberAt, textAt, unreadable } from '../../reading';
import type { RepositoryPath } from '../../repository-path';
import { Slots } from '../../../platform/slots';
import type { TokenGate } from '../../token-gate';
import {
  classifyGiteaAnswer,
  type GiteaAnswer,
  type GiteaReply,
  refusalOfToken,
  retryTimeOf,
  type RawGiteaAnswer,
} from './gitea-answer';
import { exchange, type GiteaMethod as Method, type GiteaRequest, TookTooLong } from './gitea-exchange';

const AT_A_TIME = 20;
/** The most that servers give unless they are told otherwise. */
const PAGE = 50;
const MOST_PAGES = 100;

type Query = Readonly<Record<string, string | number>>;

export interface GiteaApiParts {
  readonly host: string;
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly token: string;
  /** The same for git. */
  readonly gate: TokenGate;
  readonly clock: Clock;
}

/**
 * The REST API of Gitea and Forgejo. What the server refuses is an answer; HostUnavailable is thrown for what could not be
 * found out: no answer, an error of the server, a rate limit, no access. Every request ends within ten seconds once it is sent.
 */
export class GiteaApi {
  private readonly slots = new Slots(AT_A_TIME);
  private closedUntil: Date | null = null;
  private login: string | null | undefined;
  /** How many items the server gives at most; null: it does not say. */
  private mostItems: number | null | undefined;

  constructor(private readonly parts: GiteaApiParts) {}

  get host(): string {
    return this.parts.host;
  }

  /** Addresses in answers may begin with the path. */
  absolute(address: string): string {
    return address.startsWith('/') ? new URL(address, this.parts.apiUrl).href : address;
  }

  /** `path`: below the repository, such as `pulls/7`; empty for the repository itself. */
  ask(repository: RepositoryPath, method: Method, path: string, request: GiteaRequest = {}): Promise<GiteaAnswer> {
    return this.askServer(method, `${pathOf(repository)}${path === '' ? '' : `/${path}`}`, request);
  }

  async askServer(method: Method, path: string, request: GiteaRequest = {}): Promise<GiteaAnswer> {
    const { host, clock } = this.parts;
    if (this.closedUntil !== null && this.closedUntil > clock.now()) throw this.limited(this.closedUntil);
    this.parts.gate.pass();
    const raw = await this.send(method, path, request);
    const words = refusalOfToken(raw);
    if (words !== null) throw this.parts.gate.refused(words);
    // An error of a proxy says nothing about the token.
    if (raw.status < 500) this.parts.gate.taken();
    const until = retryTimeOf(raw, clock.now());
    if (until === null) return classifyGiteaAnswer(host, `${method} ${path}`, raw);
    this.closedUntil = until;
    throw this.limited(until);
  }

  /**
   * The reply, or null when the server says that there is nothing. A repository that the service cannot see answers 404 to
   * everything, so after a 404 the repository itself is checked.
   */
  async read(repository: RepositoryPath, path: string, query?: Query): Promise<GiteaReply | null> {
    const answer = await this.ask(repository, 'GET', path, { query });
    if (answer.type === 'answered') return answer;
    if (answer.status === 403) throw this.noAccess(`GET ${path}: ${answer.message}`);
    if (answer.status === 404) await this.requireRepository(repository);
    return null;
  }

  /** As `ask`, with the items of every page in one list. `field`: where a page has its items, unless it is a list itself. */
  async askAll(repository: RepositoryPath, path: string, query: Query = {}, field = ''): Promise<GiteaAnswer> {
    const items: unknown[] = [];
    for (let page = 1; page <= MOST_PAGES; page++) {
      const answer = await this.ask(repository, 'GET', path, { query: { ...query, limit: PAGE, page } });
      if (answer.type === 'refused') return answer;
      const found = Array.isArray(answer.body) ? (answer.body as unknown[]) : listAt(answer.body, field);
      items.push(...found);
      if (!(await this.mayHaveMore(found.length))) return { ...answer, body: items };
    }
    throw new ListTooLong(this.host, path, `${MOST_PAGES} pages`);
  }

  /**
   * The items of every page, in the server's order; null where it says that there is nothing. A list that is too long is unreadable: the
   * last item may be the one that decides. `mostHidden`: so many items may be missing in pages before the last one, so that a short page,
   * and even an empty one, is not the end.
   */
  async readAll(
    repository: RepositoryPath,
    path: string,
    query: Query = {},
    mostHidden?: () => Promise<number>,
  ): Promise<readonly unknown[] | null> {
    const items: unknown[] = [];
    let hidden: number | undefined;
    for (let page = 1; page <= MOST_PAGES; page++) {
      const answer = await this.readPage(repository, path, page, query);
      if (answer === null) return null;
      items.push(...answer.items);
      if (answer.hasMore) continue;
      hidden ??= (await mostHidden?.()) ?? 0;
      const pageSize = Math.min(PAGE, (await this.readMostItems()) ?? PAGE);
      if (hidden === 0 || (answer.items.length === 0 && page * pageSize > items.length + hidden)) return items;
    }
    throw new ListTooLong(this.host, path, `${MOST_PAGES} pages`);
  }

  async readPage(
    repository: RepositoryPath,
    path: string,
    page: number,
    query: Query = {},
  ): Promise<{ readonly items: readonly unknown[]; readonly hasMore: boolean } | null> {
    const answer = await this.read(repository, path, { ...query, limit: PAGE, page });
    if (answer === null) return null;
    if (!Array.isArray(answer.body)) throw unreadable(this.host, `the list of ${path}`, 'as something else');
    return { items: answer.body, hasMore: await this.mayHaveMore(answer.body.length) };
  }

  /** Servers send `Link` with few of their lists, and some totals are those of the page: only a page that is not full is the last one. */
  private async mayHaveMore(count: number): Promise<boolean> {
    if (count === 0) return false;
    const mostItems = await this.readMostItems();
    return mostItems === null || count >= Math.min(PAGE, mostItems);
  }

  private async readMostItems(): Promise<number | null> {
    if (this.mostItems !== undefined) return this.mostItems;
    const answer = await this.askServer('GET', '/settings/api');
    const most = answer.type === 'answered' ? numberAt(answer.body, 'max_response_items') : null;
    this.mostItems = most !== null && most > 0 ? most : null;
    return this.mostItems;
  }

  /** What the server shows of the repository; null when there is none under this name, or the service cannot see it. */
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

  /** The login under which the service writes. Null: the token may not ask. */
  async ownLogin(): Promise<string | null> {
    if (this.login !== undefined) return this.login;
    const answer = await this.askServer('GET', '/user');
    this.login = answer.type === 'answered' ? textAt(answer.body, 'login') : null;
    return this.login;
  }

  private async requireRepository(repository: RepositoryPath): Promise<void> {
    const { owner, name } = repository;
    if ((await this.findRepository(repository)) !== null) return;
    throw this.noAccess(`${owner}/${name} is not there, or the service has no access to it`);
  }

  private async send(method: Method, path: string, request: GiteaRequest): Promise<RawGiteaAnswer> {
    try {
      return await this.slots.run(() => exchange(this.parts, method, path, request));
    } catch (error) {
      // The server may have closed an idle connection, which only the next request notices. Reading twice is harmless.
      const isBroken = error instanceof HostUnavailable && !(error instanceof TookTooLong);
      if (!isBroken || method !== 'GET') throw error;
      return this.slots.run(() => exchange(this.parts, method, path, request));
    }
  }

  private limited(until: Date): HostUnavailable {
    const message = `${this.host} limits the rate of requests until ${until.toISOString()}`;
    return new HostUnavailable(this.host, 'rate_limited', message, until);
  }

  private noAccess(what: string): HostUnavailable {
    return new HostUnavailable(this.host, 'no_access', `${this.host}: ${what}`);
  }
}

function pathOf({ owner, name }: RepositoryPath): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}
