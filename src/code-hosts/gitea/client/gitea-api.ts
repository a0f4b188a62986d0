import { HostUnavailable } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { missingIn, textAt, unreadable } from '../../reading';
import type { RepositoryPath } from '../../repository-path';
import { RequestSlots } from '../../request-slots';
import type { TokenGate } from '../../token-gate';
import {
  classifyGiteaAnswer,
  type GiteaAnswer,
  type GiteaReply,
  refusalOfToken,
  retryTimeOf,
  type RawGiteaAnswer,
} from './gitea-answer';

const LIMIT_MS = 10_000;
const AT_A_TIME = 20;
/** The most that servers give unless they are told otherwise. */
const PAGE = 50;
const MOST_PAGES = 100;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Query = Readonly<Record<string, string | number>>;

export interface GiteaRequest {
  readonly query?: Query;
  readonly body?: object;
}

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
  private readonly slots = new RequestSlots(AT_A_TIME);
  private closedUntil: Date | null = null;
  private login: string | null | undefined;

  constructor(private readonly parts: GiteaApiParts) {}

  get host(): string {
    return this.parts.host;
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

  /** The items of every page, in the server's order; null where it says that there is nothing. */
  async readAll(repository: RepositoryPath, path: string, query: Query = {}): Promise<readonly unknown[] | null> {
    const items: unknown[] = [];
    for (let page = 1; page <= MOST_PAGES; page++) {
      const answer = await this.readPage(repository, path, page, query);
      if (answer === null) return null;
      items.push(...answer.items);
      if (!answer.hasMore) break;
    }
    return items;
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
    return { items: answer.body, hasMore: answer.hasMore };
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
      return await this.slots.run(() => this.sendOnce(method, path, request));
    } catch (error) {
      // The server may have closed an idle connection, which only the next request notices. Reading twice is harmless.
      const isBroken = error instanceof HostUnavailable && !(error instanceof TookTooLong);
      if (!isBroken || method !== 'GET') throw error;
      return this.slots.run(() => this.sendOnce(method, path, request));
    }
  }

  private async sendOnce(method: Method, path: string, { query = {}, body }: GiteaRequest): Promise<RawGiteaAnswer> {
    const { apiUrl, token } = this.parts;
    const url = new URL(`${apiUrl}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const signal = AbortSignal.timeout(LIMIT_MS);
    try {
      const answer = await fetch(url, {
        method,
        signal,
        // A token is not sent where a redirect leads, and a write that became a read would look as if it was done.
        redirect: 'manual',
        headers: {
          ...{ authorization: `token ${token}`, accept: 'application/json', 'user-agent': 'sluice' },
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { status: answer.status, headers: answer.headers, body: this.parse(await answer.text(), answer) };
    } catch (error) {
      if (error instanceof HostUnavailable) throw error;
      const what = `${this.host}: ${method} ${path}`;
      if (signal.aborted)
        throw new TookTooLong(this.host, 'no_answer', `${what} took longer than ${LIMIT_MS / 1000} s`);
      throw new HostUnavailable(this.host, 'no_answer', `${what}: ${reasonOf(error)}`);
    }
  }

  private parse(text: string, { status, headers }: Response): unknown {
    if (text === '') return null;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      const isJson = headers.get('content-type')?.includes('json') === true;
      // What proxies say of themselves is no JSON, and their status says enough.
      if (status >= 400 && !isJson) return null;
      throw new HostUnavailable(this.host, 'no_answer', `${this.host}: its answer broke off or is no JSON`);
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

class TookTooLong extends HostUnavailable {}

function pathOf({ owner, name }: RepositoryPath): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

/** fetch hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string; code?: string }; message?: string };
  return cause?.message || cause?.code || message || 'it did not say why';
}
