import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import { GitHubRefusal, type Answer } from './answers';
import type { ApiCaller, IssuedTokens } from './issued-tokens';
import type { Exchange } from '../forge/exchange';
import type { Faults } from '../forge/faults';
import { answerGraphQl } from './graphql';
import { gitRequestOf, unauthorized, type GitRequest } from '../forge/git-http';
import { serveGit } from './git-http';
import type { RateLimits } from './rate-limits';
import type { RequestLog } from '../forge/request-log';
import { routeFinder, runRoute, type FoundRoute } from './router';
import { ROUTES } from './routes/all';
import { PEOPLE_ROUTES } from './routes/people';
import type { GitHubState } from './state';

export interface ServerParts {
  readonly state: GitHubState;
  readonly tokens: IssuedTokens;
  readonly limits: RateLimits;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly onExchange: (exchange: Exchange) => void;
}

interface QueueInput {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly message: IncomingMessage;
  readonly body: Buffer;
}

interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

const API = '/api/v3';
const GRAPHQL = '/api/graphql';

/** The HTTP server of the mock: git for repositories, REST under `/api/v3`. */
export class GitHubServer {
  private readonly find = routeFinder([...ROUTES, ...PEOPLE_ROUTES]);
  private readonly server: Server;

  constructor(private readonly parts: ServerParts) {
    this.server = createServer((message, response) => {
      this.serve(message, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined);
      });
    });
  }

  /** Starts the server. Returns its URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const [path = '', query = ''] = (message.url ?? '').split(/\?(.*)/s);
    const incoming = { method: message.method ?? '', path, query, message, body: Buffer.concat(chunks) };
    const git = gitRequestOf(path, query);
    const found = git === null && path.startsWith(API) ? this.find(incoming.method, path.slice(API.length)) : null;
    const operation = operationOf(incoming, git, found);
    let losesAnswer = false;
    for (const trouble of this.parts.faults.take(operation)) {
      if (trouble.type === 'delay') await passed(trouble.milliseconds);
      if (trouble.type === 'overtaken') trouble.happen();
      if (trouble.type === 'lose_answer') losesAnswer = true;
      if (trouble.type === 'hang') return;
      if (trouble.type === 'disconnect') return void response.destroy();
      if (trouble.type === 'answer') {
        return this.send(response, incoming, operation, this.outgoing(trouble.answer, { type: 'anonymous' }));
      }
    }
    const outgoing = git === null ? this.answerRest(incoming, found) : await this.answerGit(incoming, git);
    if (losesAnswer) return void response.destroy();
    this.send(response, incoming, operation, outgoing);
  }

  private async answerGit(incoming: QueueInput, git: GitRequest): Promise<Outgoing> {
    const { state, tokens } = this.parts;
    let caller: ApiCaller;
    try {
      caller = tokens.callerOf(incoming.message.headers.authorization);
    } catch {
      return unauthorized('GitHub');
    }
    return serveGit(state, caller, git, incoming.message, incoming.body);
  }

  private answerRest(incoming: QueueInput, found: FoundRoute | null): Outgoing {
    const { tokens, limits } = this.parts;
    let caller: ApiCaller = { type: 'anonymous' };
    try {
      caller = tokens.callerOf(incoming.message.headers.authorization);
      const isFree = found?.route.operation === 'rate-limit/get';
      if (!isFree && !limits.take(caller)) throw new GitHubRefusal(403, outOfRequests(caller));
      const outgoing = this.outgoing(this.answer(incoming, found, caller), caller);
      const isKnown = incoming.message.headers['if-none-match'] === outgoing.headers.etag;
      if (!isKnown || outgoing.headers.etag === undefined || incoming.method !== 'GET') return outgoing;
      limits.giveBack(caller);
      return { ...this.outgoing({ status: 304, headers: { etag: outgoing.headers.etag } }, caller) };
    } catch (error) {
      if (error instanceof GitHubRefusal) return this.outgoing(error.answer, caller);
      throw error;
    }
  }

  private answer(
    { method, path, query, message, body }: QueueInput,
    found: FoundRoute | null,
    caller: ApiCaller,
  ): Answer {
    const { state, tokens, limits } = this.parts;
    if (path === GRAPHQL && method === 'POST') {
      return answerGraphQl(state, caller, parsedBody(body));
    }
    if (found === null) throw new GitHubRefusal(404, 'Not Found');
    const { route, parameters } = found;
    return runRoute(route, {
      state,
      tokens,
      limits,
      caller,
      path: path.slice(API.length),
      parameters,
      query: new URLSearchParams(query),
      body: parsedBody(body),
      accept: String(message.headers.accept ?? ''),
    });
  }

  private outgoing({ status, body, raw, headers = {} }: Answer, caller: ApiCaller): Outgoing {
    const content = raw?.content ?? (body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)));
    const mediaType = raw?.mediaType ?? 'application/json; charset=utf-8';
    const { limit, used, remaining, reset } = this.parts.limits.read(caller);
    const etag = createHash('sha256').update(content).digest('hex');
    return {
      status,
      content,
      headers: {
        // Clients set their clocks by the header `date`.
        date: this.parts.state.now().toUTCString(),
        'x-github-request-id': randomBytes(8).toString('hex').toUpperCase(),
        'x-github-media-type': 'github.v3; format=json',
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-used': String(used),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(reset),
        'x-ratelimit-resource': 'core',
        ...(content.length === 0 ? {} : { 'content-type': mediaType }),
        ...(status === 200 ? { etag: `W/"${etag}"` } : {}),
        ...headers,
      },
    };
  }

  private send(response: ServerResponse, incoming: QueueInput, operation: string, outgoing: Outgoing): void {
    const { method, path, query, body } = incoming;
    const { status, headers, content } = outgoing;
    this.parts.log.add({ operation, method, path, status });
    response.writeHead(status, { ...headers, 'content-length': content.length });
    response.end(content);
    if (!path.startsWith('/api/')) return;
    const mediaType = headers['content-type'] ?? null;
    this.parts.onExchange({
      method,
      path: path === GRAPHQL ? '/graphql' : path.slice(API.length),
      query,
      requestBody: jsonOf(body),
      status,
      responseBody: mediaType?.includes('json') === true && !mediaType.includes('raw') ? jsonOf(content) : undefined,
      mediaType,
    });
  }
}

function operationOf({ path }: QueueInput, git: GitRequest | null, found: FoundRoute | null): string {
  if (git !== null) return git.path === '/info/refs' ? `git-http/info-refs-${git.service}` : `git-http/${git.service}`;
  if (path === GRAPHQL) return 'graphql';
  return found?.route.operation ?? 'unknown';
}

function outOfRequests(caller: ApiCaller): string {
  const whose = caller.type === 'installation' ? ` ID ${caller.token.installation.id}` : '';
  return `API rate limit exceeded for ${caller.type}${whose}.`;
}

function parsedBody(body: Buffer): Readonly<Record<string, unknown>> {
  if (body.length === 0) return {};
  const parsed = jsonOf(body);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new GitHubRefusal(400, 'Problems parsing JSON');
  }
  return parsed as Record<string, unknown>;
}

function jsonOf(content: Buffer): unknown {
  if (content.length === 0) return undefined;
  try {
    return JSON.parse(content.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
