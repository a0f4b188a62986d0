import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import type { Account } from '../forge/accounts';
import type { Answer } from '../forge/answer';
import type { Exchange } from '../forge/exchange';
import { Faults } from '../forge/faults';
import { type GitAnswer, type GitRequest, gitRequestOf, serveRepository, said, unauthorized } from '../forge/git-http';
import { readPushCommands } from '../forge/push-commands';
import { SIGNED_ONLY, SIGNERS, signersOf } from '../forge/signatures';
import { RequestLog } from '../forge/request-log';
import { answerTo, DEVELOPER, operationOf } from './routes';
import { GitLabState, type Project, REFUSAL } from './state';
import type { GitLabWebhooks } from './webhooks';

const API = '/api/v4';
/** The name of the operation for a push that also moves `main`. */
export const PUSH_TO_DEFAULT_BRANCH = 'git-http/receive-pack main';

/** A mock GitLab: real repositories, and the part of the API that the service uses. */
export class GitLabDouble {
  readonly faults = new Faults();
  readonly requests = new RequestLog();
  /** The login of the service's user, a maintainer of every project. */
  readonly bot = 'project_7_bot_c0ffee';
  private readonly server: Server;

  private constructor(
    readonly state: GitLabState,
    private readonly onExchange: (exchange: Exchange) => void,
  ) {
    this.server = createServer((message, response) => {
      this.serve(message, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined);
      });
    });
  }

  /** Starts a mock that listens on a free port and has no projects yet. */
  static async start(
    options: { readonly now?: () => Date; readonly onExchange?: (exchange: Exchange) => void } = {},
  ): Promise<GitLabDouble> {
    const state = new GitLabState(options.now ?? (() => new Date()));
    const double = new GitLabDouble(state, options.onExchange ?? (() => undefined));
    await new Promise<void>((resolve) => double.server.listen(0, '127.0.0.1', resolve));
    double.state.origin = `http://127.0.0.1:${(double.server.address() as AddressInfo).port}`;
    return double;
  }

  async close(): Promise<void> {
    this.webhooks.deliverTo(null);
    await this.webhooks.settled();
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const { world } of this.state.projects) world.close();
  }

  get webhooks(): GitLabWebhooks {
    return this.state.webhooks;
  }

  get gitUrl(): string {
    return this.state.origin;
  }

  /** Creates a private project with one commit on `main`. */
  createProject(owner: string, name: string): Project {
    const project = this.state.addProject(owner, name);
    project.members.set(this.bot, 40);
    this.state.accounts.of(this.bot);
    return project;
  }

  createGroup(path: string, owners: readonly string[]): void {
    this.state.groups.set(path, { id: this.state.nextId(), owners });
  }

  createToken(login = this.bot): string {
    const token = `glpat-${randomBytes(10).toString('hex')}`;
    this.state.tokens.set(token, this.state.accounts.of(login));
    return token;
  }

  /** Revokes all tokens. Returns a function that restores them. */
  revokeTokens(): () => void {
    const revoked = [...this.state.tokens];
    this.state.tokens.clear();
    return () => revoked.forEach(([token, account]) => this.state.tokens.set(token, account));
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const method = message.method ?? '';
    const [path = '', query = ''] = (message.url ?? '').split(/\?(.*)/s);
    const git = path.startsWith(API) ? null : gitRequestOf(path, query);
    const operation = git === null ? operationOf(method, path.slice(API.length)) : gitOperationOf(git, message, body);
    let losesAnswer = false;
    for (const trouble of this.faults.take(operation)) {
      if (trouble.type === 'delay') await passed(trouble.milliseconds);
      if (trouble.type === 'overtaken') trouble.happen();
      if (trouble.type === 'lose_answer') losesAnswer = true;
      if (trouble.type === 'hang') return;
      if (trouble.type === 'disconnect') return void response.destroy();
      if (trouble.type === 'answer') return this.send(response, outgoing(trouble.answer));
    }
    const account = this.accountOf(message);
    const answer =
      git === null
        ? outgoing(this.answerRest(account, method, path.slice(API.length), query, body))
        : await this.answerGit(git, account, message, body);
    this.requests.add({ operation, method, path, status: answer.status });
    if (losesAnswer) return void response.destroy();
    this.send(response, answer);
    if (git !== null) return;
    this.onExchange({
      ...{ method, path: path.slice(API.length), query, status: answer.status, mediaType: 'application/json' },
      requestBody: jsonOf(body),
      responseBody: jsonOf(answer.content),
    });
  }

  private accountOf({ headers }: IncomingMessage): Account | null {
    const [, basic = ''] = (headers.authorization ?? '').split(' ');
    const password = Buffer.from(basic, 'base64').toString('utf8').split(':').slice(1).join(':');
    return this.state.tokens.get(String(headers['private-token'] ?? password)) ?? null;
  }

  private answerRest(account: Account | null, method: string, path: string, query: string, content: Buffer): Answer {
    if (account === null) return { status: 401, body: { message: '401 Unauthorized' } };
    const body = (content.length === 0 ? {} : JSON.parse(content.toString('utf8'))) as Record<string, unknown>;
    return answerTo({ state: this.state, account, method, path, query: new URLSearchParams(query), body });
  }

  private async answerGit(
    git: GitRequest,
    account: Account | null,
    message: IncomingMessage,
    body: Buffer,
  ): Promise<GitAnswer> {
    if (account === null) return unauthorized('GitLab', 'HTTP Basic: Access denied.');
    const project = this.state.find(`${git.owner}/${git.name}`);
    const level = project?.members.get(account.login) ?? 0;
    if (project === null || level === 0) return said(404, 'The project you were looking for could not be found.');
    if (git.service === 'receive-pack' && level < DEVELOPER) return said(403, 'You are not allowed to push code.');
    const answer = await serveRepository(project.world.bare, git, message, body, {
      [REFUSAL]: project.refusal ?? '',
      [SIGNED_ONLY]: project.pushRule?.reject_unsigned_commits === true ? 'all' : '',
      [SIGNERS]: signersOf(this.state.signingKeys),
    });
    if (git.path === '/git-receive-pack') project.noticeBranches(account);
    return answer;
  }

  private send(response: ServerResponse, { status, headers, content }: GitAnswer): void {
    response.writeHead(status, { ...headers, 'content-length': content.length });
    response.end(content);
  }
}

function gitOperationOf({ path, service }: GitRequest, { headers }: IncomingMessage, body: Buffer): string {
  if (path === '/info/refs') return `git-http/info-refs-${service}`;
  if (service === 'upload-pack') return 'git-http/upload-pack';
  const commands = readPushCommands(body, headers['content-encoding']);
  return commands.some(({ ref }) => ref === 'refs/heads/main') ? PUSH_TO_DEFAULT_BRANCH : 'git-http/receive-pack';
}

function outgoing({ status, body, raw, headers = {} }: Answer): GitAnswer {
  const content = raw?.content ?? (body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)));
  return { status, content, headers: { 'content-type': raw?.mediaType ?? 'application/json', ...headers } };
}

function jsonOf(content: Buffer): unknown {
  return content.length === 0 ? undefined : JSON.parse(content.toString('utf8'));
}
