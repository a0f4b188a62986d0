import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import type { Account } from '../forge/accounts';
import type { Answer } from '../forge/answer';
import type { Exchange } from '../forge/exchange';
import type { Faults } from '../forge/faults';
import { type GitAnswer, type GitRequest, gitRequestOf, serveRepository, said, unauthorized } from '../forge/git-http';
import { readPushCommands } from '../forge/push-commands';
import type { RequestLog } from '../forge/request-log';
import { SIGNED_ONLY, SIGNERS, signersOf } from '../forge/signatures';
import type { Happenings } from './happenings';
import { GiteaRefusal } from './refusal';
import { REPOSITORY_ROUTES, SERVER_ROUTES, WITHOUT_WRITE_ACCESS } from './routes';
import { mayPush } from './shapes';
import {
  FORWARD_ONLY,
  fullNameOf,
  type GiteaState,
  keyOf,
  mayWrite,
  permissionOf,
  REFUSALS,
  type Repository,
  ruleFor,
} from './state';

export interface ServerParts {
  readonly state: GiteaState;
  readonly happenings: Happenings;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly onExchange: (exchange: Exchange) => void;
}

interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly message: IncomingMessage;
  readonly body: Buffer;
}

interface Found {
  readonly operation: string;
  readonly answer: (account: Account | null) => Answer;
}

const API = '/api/v1';
const IN_REPOSITORY = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/;

/** The HTTP server of the mock: git for repositories, REST under `/api/v1`. */
export class GiteaServer {
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
    const git = path.startsWith(API) ? null : gitRequestOf(path, query);
    const found = git === null ? this.find(incoming) : null;
    const operation = git === null ? (found?.operation ?? 'unknown') : gitOperationOf(git);
    let losesAnswer = false;
    for (const trouble of this.parts.faults.take(operation)) {
      if (trouble.type === 'delay') await passed(trouble.milliseconds);
      if (trouble.type === 'overtaken') trouble.happen();
      if (trouble.type === 'lose_answer') losesAnswer = true;
      if (trouble.type === 'hang') return;
      if (trouble.type === 'disconnect') return void response.destroy();
      if (trouble.type === 'answer') return this.send(response, incoming, operation, outgoing(trouble.answer));
    }
    const account = this.accountOf(message.headers.authorization);
    const answer =
      git === null ? outgoing(this.answerRest(found, account)) : await this.answerGit(git, account, incoming);
    if (losesAnswer) return void response.destroy();
    this.send(response, incoming, operation, answer);
  }

  private accountOf(authorization: string | undefined): Account | null {
    const [scheme = '', value = ''] = (authorization ?? '').split(' ');
    const isBasic = scheme.toLowerCase() === 'basic';
    const [login = '', ...rest] = isBasic ? Buffer.from(value, 'base64').toString('utf8').split(':') : ['', value];
    const secret = rest.join(':');
    const { tokens, madeAccounts } = this.parts.state;
    const user = madeAccounts.get(login.toLowerCase());
    const isPassword = user !== undefined && user.password !== '' && user.password === secret;
    return tokens.get(secret) ?? (isPassword ? user.account : null);
  }

  private answerRest(found: Found | null, account: Account | null): Answer {
    try {
      if (account === null) throw new GiteaRefusal(401, 'user does not exist [uid: 0, name: ]');
      if (found === null) throw new GiteaRefusal(404, 'Not Found');
      return found.answer(account);
    } catch (error) {
      if (error instanceof GiteaRefusal) return error.answer;
      throw error;
    }
  }

  private find({ method, path, query, body }: Incoming): Found | null {
    const { state, happenings } = this.parts;
    const below = path.slice(API.length);
    const parsed = body.length === 0 ? {} : (jsonOf(body) as Record<string, unknown>);
    const common = { state, happenings, path: below, query: new URLSearchParams(query), body: parsed };
    const general = SERVER_ROUTES.find((route) => route.method === method && route.pattern.test(below));
    if (general !== undefined) {
      const { operation, handle } = general;
      const found = general.pattern.exec(below)!.slice(1).map(decodeURIComponent);
      return { operation, answer: (account) => handle({ ...common, account: account!, parameters: found }) };
    }
    const [, owner = '', name = '', rest = ''] = IN_REPOSITORY.exec(below) ?? [];
    const route = REPOSITORY_ROUTES.find((one) => one.method === method && one.pattern.test(rest));
    if (route === undefined || owner === '') return null;
    const parameters = route.pattern.exec(rest)!.slice(1).map(decodeURIComponent);
    const answer = (account: Account | null): Answer => {
      const [wantedOwner, wantedName] = [decodeURIComponent(owner), decodeURIComponent(name)];
      const former = state.formerNames.get(keyOf(wantedOwner, wantedName));
      if (former !== undefined) {
        const location = `${state.origin}${API}/repos/${fullNameOf(former)}${rest}`;
        if (method !== 'GET') return { status: 307, headers: { location } };
        const content = Buffer.from(`<a href="${location}">Moved Permanently</a>.\n\n`);
        return { status: 301, headers: { location }, raw: { content, mediaType: 'text/html; charset=utf-8' } };
      }
      const repository = this.knownTo(account!, wantedOwner, wantedName);
      if (method !== 'GET' && !WITHOUT_WRITE_ACCESS.includes(route.operation) && !mayWrite(repository, account!))
        throw new GiteaRefusal(403, 'user should have a permission to write to this repo');
      return route.handle({ ...common, account: account!, parameters, repository });
    };
    return { operation: route.operation, answer };
  }

  private knownTo(account: Account, owner: string, name: string): Repository {
    const repository = this.parts.state.find(owner, name);
    if (repository !== null && permissionOf(repository, account) !== 'none') return repository;
    throw new GiteaRefusal(404, "The target couldn't be found.");
  }

  private async answerGit(git: GitRequest, account: Account | null, incoming: Incoming): Promise<GitAnswer> {
    const { state, happenings } = this.parts;
    const { message, body } = incoming;
    if (account === null) return unauthorized('Gitea', 'Unauthorized');
    const repository = state.find(git.owner, git.name);
    if (repository === null || permissionOf(repository, account) === 'none') return said(404, 'Not found');
    const { bare } = repository.world;
    if (git.service === 'upload-pack') return serveRepository(bare, git, message, body, {});
    if (!mayWrite(repository, account)) return said(403, 'Forbidden');
    const commands = readPushCommands(body, message.headers['content-encoding']);
    const refusals = commands.flatMap(({ ref, after }) => {
      const why = refusalOf(repository, ref.replace(/^refs\/heads\//, ''), after, account);
      return why === null ? [] : [`${ref}\t${why}`];
    });
    const signed = commands.filter(
      ({ ref }) => ruleFor(repository, ref.replace(/^refs\/heads\//, ''))?.demandsSignatures,
    );
    const answer = await serveRepository(bare, git, message, body, {
      [REFUSALS]: refusals.join('\n'),
      [SIGNED_ONLY]: signed.map(({ ref }) => ref).join('\n'),
      [SIGNERS]: signersOf(state.signingKeys),
      [FORWARD_ONLY]: commands
        .map(({ ref }) => ref)
        .filter((ref) => ruleFor(repository, ref.replace(/^refs\/heads\//, '')) !== null)
        .join('\n'),
    });
    if (git.path === '/git-receive-pack') happenings.noticeBranches(repository, account);
    return answer;
  }

  private send(response: ServerResponse, incoming: Incoming, operation: string, answer: GitAnswer): void {
    const { method, path, query, body } = incoming;
    const { status, headers, content } = answer;
    this.parts.log.add({ operation, method, path, status });
    response.writeHead(status, { ...headers, 'content-length': content.length });
    response.end(content);
    if (!path.startsWith(API)) return;
    const mediaType = headers['content-type'] ?? null;
    this.parts.onExchange({
      ...{ method, path: path.slice(API.length), query, status, mediaType },
      requestBody: body.length === 0 ? undefined : jsonOf(body),
      responseBody: content.length === 0 ? undefined : jsonOf(content),
    });
  }
}

/**
 * The reason why the server refuses the push; null if it accepts. Even on a protected branch, a push needs no reviews
 * and no statuses.
 */
function refusalOf(repository: Repository, branch: string, after: string | null, account: Account): string | null {
  if (ruleFor(repository, branch) === null) return null;
  if (after === null) return `Gitea: branch ${branch} is protected from deletion`;
  return mayPush(repository, branch, account) ? null : `Gitea: Not allowed to push to protected branch ${branch}`;
}

function gitOperationOf({ path, service }: GitRequest): string {
  return path === '/info/refs' ? `git-http/info-refs-${service}` : `git-http/${service}`;
}

function outgoing({ status, body, raw, headers = {} }: Answer): GitAnswer {
  const content = raw?.content ?? (body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)));
  const mediaType = raw?.mediaType ?? 'application/json;charset=utf-8';
  return { status, content, headers: { ...(content.length === 0 ? {} : { 'content-type': mediaType }), ...headers } };
}

function jsonOf(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
