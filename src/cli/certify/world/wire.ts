import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { onNoResponse } from '../../../platform/http/no-response';

/** A request of the adapter and its answer, without tokens. */
export interface RecordedExchange {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly requestBody: string | null;
  /** Null: no answer arrived. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly responseBody: string | null;
}

const SHOWN_HEADERS = ['link', 'x-total-count', 'location', 'content-type', 'retry-after'];
const MOST_TEXT = 20_000;
const MOST_EXCHANGES = 500;
const PUSH_BEGINS = /\/info\/refs\?service=git-receive-pack$/;
const PUSH = /\/git-receive-pack$/;

/** If the API is on another host than the repositories, paths of API requests to this proxy begin with this text. */
const API_APART = '/-api';

export interface WireTargets {
  /** The URLs of the server, both without a slash at the end. */
  readonly gitUrl: string;
  readonly apiUrl: string;
}

/**
 * A proxy on this machine between the adapter and the server: records both, and simulates faults. The proxy adds
 * nothing to requests, so nobody can act through it without a token.
 */
export class Wire {
  private readonly server: Server;
  private readonly gitTarget: URL;
  private readonly apiTarget: URL;
  private exchanges: RecordedExchange[] = [];
  private isDown = false;
  private losesPush = false;
  private beforePush: (() => Promise<void>) | null = null;
  /** True: the server did not answer, or not in time. */
  isSilent = false;

  private constructor(
    { gitUrl, apiUrl }: WireTargets,
    private readonly secrets: readonly string[],
  ) {
    this.gitTarget = new URL(gitUrl);
    this.apiTarget = new URL(apiUrl);
    this.server = createServer((message, response) => {
      void this.pass(message, response).catch(() => response.destroy());
    });
  }

  static async open(targets: WireTargets, secrets: readonly string[]): Promise<Wire> {
    const wire = new Wire(targets, secrets);
    await new Promise<void>((resolve) => wire.server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  /** Without a slash at the end. */
  get gitUrl(): string {
    return `${this.origin}${pathOf(this.gitTarget)}`;
  }

  /** Without a slash at the end. */
  get apiUrl(): string {
    const isApart = this.apiTarget.origin !== this.gitTarget.origin;
    return `${this.origin}${isApart ? API_APART : ''}${pathOf(this.apiTarget)}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** The exchanges since the last call. */
  takeExchanges(): readonly RecordedExchange[] {
    const taken = this.exchanges;
    this.exchanges = [];
    return taken;
  }

  /** The exchanges since the last call of `takeExchanges`, which stay. */
  peekExchanges(): readonly RecordedExchange[] {
    return this.exchanges;
  }

  goDown(): void {
    this.isDown = true;
  }

  recover(): void {
    this.isDown = false;
  }

  /** The server carries out the next push, but the adapter does not receive the answer. */
  losePushAnswer(): void {
    this.losesPush = true;
  }

  /** Runs `work` just before the next push arrives. */
  onNextPush(work: () => Promise<void>): void {
    this.beforePush = work;
  }

  private get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async pass(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = message.url ?? '';
    if (this.isDown) return void message.socket.destroy();
    if (this.beforePush !== null && PUSH_BEGINS.test(url)) {
      const work = this.beforePush;
      this.beforePush = null;
      await work();
    }
    const isLost = this.losesPush && PUSH.test(url);
    if (isLost) this.losesPush = false;
    // The adapter disconnects when it has waited for ten seconds.
    else response.once('close', () => (this.isSilent ||= !response.writableFinished));
    const sent = new Text();
    message.on('data', (chunk: Buffer) => sent.add(chunk));
    const answer = await this.ask(message).catch(() => null);
    if (answer === null) {
      this.isSilent = true;
      this.record(message, sent, null, new Text());
      return void response.destroy();
    }
    const got = new Text();
    answer.on('data', (chunk: Buffer) => got.add(chunk));
    if (isLost) {
      answer.on('end', () => response.destroy()).resume();
      return;
    }
    response.writeHead(answer.statusCode ?? 500, this.headersFor(answer));
    await pipeline(answer, response).finally(() => this.record(message, sent, answer, got));
  }

  private ask(message: IncomingMessage): Promise<IncomingMessage> {
    const isApart = message.url?.startsWith(`${API_APART}/`) === true;
    const { protocol, hostname, port, host } = isApart ? this.apiTarget : this.gitTarget;
    const path = isApart ? message.url?.slice(API_APART.length) : message.url;
    const begin = protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const headers = { ...message.headers, host, connection: 'close' };
      const order = { hostname: hostname.replace(/^\[|\]$/g, ''), port, path, method: message.method };
      const request = begin({ ...order, headers }, resolve);
      onNoResponse(request, reject);
      message.pipe(request);
    });
  }

  /** Rewrites server URLs in headers to this proxy. */
  private headersFor({ headers }: IncomingMessage): Record<string, string | string[] | undefined> {
    const { origin: git } = this.gitTarget;
    const { origin: api } = this.apiTarget;
    const apart = git === api ? this.origin : `${this.origin}${API_APART}`;
    const back = (value: string): string => value.replaceAll(git, this.origin).replaceAll(api, apart);
    return {
      ...headers,
      ...(headers.location && { location: back(headers.location) }),
      ...(headers.link && { link: back(String(headers.link)) }),
    };
  }

  private record(message: IncomingMessage, sent: Text, answer: IncomingMessage | null, got: Text): void {
    const isGit = /\/info\/refs\?|\/git-(upload|receive)-pack$/.test(message.url ?? '');
    const said = (text: Text): string | null => (isGit || text.isEmpty ? null : this.hidden(text.value));
    const shown = SHOWN_HEADERS.flatMap((name): (readonly [string, string])[] => {
      const value = answer?.headers[name];
      return value === undefined ? [] : [[name, this.hidden(String(value))]];
    });
    if (this.exchanges.length >= MOST_EXCHANGES) this.exchanges.shift();
    this.exchanges.push({
      ...{ method: message.method ?? '', path: this.hidden(message.url ?? '') },
      ...{ requestBody: said(sent), status: answer?.statusCode ?? null },
      ...{ headers: Object.fromEntries(shown), responseBody: said(got) },
    });
  }

  private hidden(text: string): string {
    return hideSecrets(text, this.secrets);
  }
}

/** Also hides secrets that the server itself generates: the value of `token`, `secret` or `password` in JSON. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return known.replaceAll(/("(?:[a-z_]*(?:token|secret|password)|sha1)"\s*:\s*")(?!")[^"]+"/gi, '$1***"');
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/$/, '');
}

/** Collects the beginning of a text that passes the proxy. */
class Text {
  private content = Buffer.alloc(0);

  get isEmpty(): boolean {
    return this.content.length === 0;
  }

  get value(): string {
    const text = this.content.toString('utf8');
    return text.length < MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}…`;
  }

  add(chunk: Buffer): void {
    if (this.content.length < MOST_TEXT) this.content = Buffer.concat([this.content, chunk]);
  }
}
