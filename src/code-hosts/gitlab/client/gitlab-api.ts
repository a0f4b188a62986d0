import { HostUnavailable } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { BoundedMap } from '../../bounded-map';
import { fetchFailure, ListTooLong, numberAt, textAt } from '../../reading';
import { repositoryKey, type RepositoryPath } from '../../repository-path';
import { Slots } from '../../../platform/slots';
import { type GitLabAnswer, type GitLabReply, messageIn } from './gitlab-answer';
import type { TokenGate } from '../../token-gate';

const LIMIT_MS = 10_000;
const AT_A_TIME = 20;
const PAGE = 100;
const MOST_PAGES = 100;
const MOST_PROJECTS = 1_000;
/** Advice for a rate limit that names no time. */
const USUAL_WAIT_MS = 60_000;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Query = Readonly<Record<string, string | number | boolean>>;
/** Parameters that may come more than once. */
type Lists = readonly (readonly [name: string, value: string | number])[];

export interface GitLabRequest {
  readonly query?: Query;
  readonly lists?: Lists;
  readonly body?: object;
}

export interface GitLabApiParts {
  readonly host: string;
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly token: string;
  /** The same for git. */
  readonly gate: TokenGate;
  readonly clock: Clock;
}

/**
 * The REST API of GitLab. What the server refuses is an answer; HostUnavailable is thrown for what could not be found out. All
 * requests about a project name its number: under a former path the server redirects reads and refuses writes.
 */
export class GitLabApi {
  private readonly slots = new Slots(AT_A_TIME);
  private readonly projects = new BoundedMap<number>(MOST_PROJECTS);
  private closedUntil: Date | null = null;
  private login: string | null | undefined;

  constructor(private readonly parts: GitLabApiParts) {}

  get host(): string {
    return this.parts.host;
  }

  /** `path`: below the project, such as `merge_requests/7`; empty for the project itself. */
  async ask(
    repository: RepositoryPath,
    method: Method,
    path: string,
    request: GitLabRequest = {},
  ): Promise<GitLabAnswer> {
    const id = await this.requireProject(repository);
    return this.askServer(method, `/projects/${id}${path === '' ? '' : `/${path}`}`, request);
  }

  /** As `ask`, with the items of every page in one list. */
  async askAll(repository: RepositoryPath, path: string): Promise<GitLabAnswer> {
    const items: unknown[] = [];
    for (let page = 1; page <= MOST_PAGES; page++) {
      const answer = await this.ask(repository, 'GET', path, { query: { per_page: PAGE, page } });
      if (answer.type === 'refused') return answer;
      if (Array.isArray(answer.body)) items.push(...(answer.body as unknown[]));
      if (!answer.hasMore) return { ...answer, body: items };
    }
    return { type: 'refused', status: 413, message: `it has more than ${MOST_PAGES * PAGE} ${path}` };
  }

  async askServer(method: Method, path: string, request: GitLabRequest = {}): Promise<GitLabAnswer> {
    const now = this.parts.clock.now();
    if (this.closedUntil !== null && this.closedUntil > now) throw this.limited(this.closedUntil);
    const { gate } = this.parts;
    gate.pass();
    const { status, headers, body } = await this.send(method, path, request);
    if (status === 401) throw gate.refused(messageIn(body) ?? 'it answered with 401');
    // An error of a proxy says nothing about the token.
    if (status < 500) gate.taken();
    if (status === 429) {
      const seconds = Number(headers.get('retry-after') ?? Number.NaN);
      this.closedUntil = new Date(now.getTime() + (Number.isFinite(seconds) ? seconds * 1000 : USUAL_WAIT_MS));
      throw this.limited(this.closedUntil);
    }
    return this.classify(`${method} ${path}`, status, headers, body);
  }

  /** The reply, or null when the server says that there is nothing. */
  async read(repository: RepositoryPath, path: string, query?: Query, lists?: Lists): Promise<GitLabReply | null> {
    const answer = await this.ask(repository, 'GET', path, { query, lists });
    if (answer.type === 'answered') return answer;
    if (answer.status === 403) throw this.noAccess(`GET ${path}: ${answer.message}`);
    // A project that the service cannot see any more answers 404 to everything.
    if (answer.status === 404 && (await this.findProject(repository)) === null) throw this.missing(repository);
    return null;
  }

  /** The items of every page, in the server's order; null where it says that there is nothing. */
  async readAll(
    repository: RepositoryPath,
    path: string,
    query: Query = {},
    lists: Lists = [],
  ): Promise<readonly unknown[] | null> {
    const items: unknown[] = [];
    for (let page = 1; page <= MOST_PAGES; page++) {
      const answer = await this.read(repository, path, { ...query, per_page: PAGE, page }, lists);
      if (answer === null) return null;
      if (Array.isArray(answer.body)) items.push(...(answer.body as unknown[]));
      if (!answer.hasMore) return items;
    }
    throw new ListTooLong(this.host, path, `${MOST_PAGES * PAGE} entries`);
  }

  /** What the server shows of the project; null when there is none of this name, or the service cannot see it. */
  async findProject(repository: RepositoryPath): Promise<unknown> {
    const { owner, name } = repository;
    const path = `${owner}/${name}`;
    const answer = await this.askServer('GET', `/projects/${encodeURIComponent(path)}`);
    const id = answer.type === 'answered' ? numberAt(answer.body, 'id') : null;
    const isIt = id !== null && pathIn(answer)?.toLowerCase() === path.toLowerCase();
    if (!isIt) {
      this.projects.delete(repositoryKey(repository));
      return null;
    }
    this.projects.set(repositoryKey(repository), id);
    return answer.type === 'answered' ? answer.body : null;
  }

  async requireProject(repository: RepositoryPath): Promise<number> {
    const known = this.projects.get(repositoryKey(repository));
    if (known !== undefined) return known;
    const id = numberAt(await this.findProject(repository), 'id');
    if (id === null) throw this.missing(repository);
    return id;
  }

  /** The name under which the service writes. Null: the token may not ask. */
  async ownLogin(): Promise<string | null> {
    if (this.login !== undefined) return this.login;
    const answer = await this.askServer('GET', '/user');
    this.login = answer.type === 'answered' ? textAt(answer.body, 'username') : null;
    return this.login;
  }

  private classify(what: string, status: number, headers: Headers, body: unknown): GitLabAnswer {
    const { host } = this;
    if (status < 300) return { type: 'answered', status, body, hasMore: (headers.get('x-next-page') ?? '') !== '' };
    const message = messageIn(body) ?? `it answered with ${status}`;
    const said = `${host}: ${what}: ${message}`;
    // A project that has another path now: nothing is there under this one.
    if (status < 400) return { type: 'refused', status: 404, message: 'it is elsewhere now' };
    if ([502, 503, 504].includes(status)) throw new HostUnavailable(host, 'gateway_error', said);
    if (status >= 500) throw new HostUnavailable(host, 'server_error', said);
    return { type: 'refused', status, message };
  }

  private async send(method: Method, path: string, request: GitLabRequest): Promise<Raw> {
    try {
      return await this.slots.run(() => this.sendOnce(method, path, request));
    } catch (error) {
      // The server may have closed an idle connection, which only the next request notices. Reading twice is harmless.
      const isBroken = error instanceof HostUnavailable && !(error instanceof TookTooLong);
      if (!isBroken || method !== 'GET') throw error;
      return this.slots.run(() => this.sendOnce(method, path, request));
    }
  }

  private async sendOnce(method: Method, path: string, { query = {}, lists = [], body }: GitLabRequest): Promise<Raw> {
    const { apiUrl, token } = this.parts;
    const url = new URL(`${apiUrl}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    for (const [name, value] of lists) url.searchParams.append(name, String(value));
    const signal = AbortSignal.timeout(LIMIT_MS);
    try {
      const answer = await fetch(url, {
        ...{ method, signal },
        // A token is not sent where a redirect leads.
        redirect: 'manual',
        headers: {
          ...{ 'private-token': token, accept: 'application/json', 'user-agent': 'sluice' },
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
      throw new HostUnavailable(this.host, 'no_answer', `${what}: ${fetchFailure(error)}`);
    }
  }

  private parse(text: string, { status, headers }: Response): unknown {
    if (text === '') return null;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      const isJson = headers.get('content-type')?.includes('json') === true;
      // What proxies say of themselves is no JSON, and their status says enough.
      if (status >= 300 && !isJson) return null;
      throw new HostUnavailable(this.host, 'no_answer', `${this.host}: its answer broke off or is no JSON`);
    }
  }

  private limited(until: Date): HostUnavailable {
    const message = `${this.host} limits the rate of requests until ${until.toISOString()}`;
    return new HostUnavailable(this.host, 'rate_limited', message, until);
  }

  private missing({ owner, name }: RepositoryPath): HostUnavailable {
    return this.noAccess(`${owner}/${name} is not there, or the service has no access to it`);
  }

  private noAccess(what: string): HostUnavailable {
    return new HostUnavailable(this.host, 'no_access', `${this.host}: ${what}`);
  }
}

interface Raw {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

class TookTooLong extends HostUnavailable {}

function pathIn(answer: GitLabAnswer): string | null {
  return answer.type === 'answered' ? textAt(answer.body, 'path_with_namespace') : null;
}
