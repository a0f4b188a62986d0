import { createSign } from 'node:crypto';
import type { GitHubDouble } from './github-double';

export interface ClientAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined when there was none, or when it was not JSON. */
  readonly body: unknown;
  readonly text: string;
}

export interface AskOptions {
  readonly body?: unknown;
  /** The header `Authorization`. If absent, the request has an installation token; if null, it has no such header. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

const FIVE_MINUTES_S = 300;

/** Calls the mock over HTTP and returns answers unchanged. The client has no retries and no cache. */
export class GitHubClient {
  private token: string | null = null;

  constructor(
    private readonly double: GitHubDouble,
    private readonly repository: string,
  ) {}

  /** The value `Bearer …` with a token that the app signs for the mock's present time. */
  get appAuthorization(): string {
    const seconds = Math.floor(this.double.state.now().getTime() / 1000);
    return `Bearer ${signedToken(this.double, { iat: seconds, exp: seconds + FIVE_MINUTES_S, iss: this.double.appId })}`;
  }

  /** A token of the repository's installation. Every call returns the same token until `renewToken`. */
  async installationToken(): Promise<string> {
    this.token ??= await this.renewToken();
    return this.token;
  }

  async renewToken(): Promise<string> {
    const authorization = this.appAuthorization;
    const { body: installation } = await this.ask('GET', `/repos/${this.repository}/installation`, { authorization });
    const { id } = installation as { id: number };
    const { body } = await this.ask('POST', `/app/installations/${id}/access_tokens`, { authorization });
    this.token = (body as { token: string }).token;
    return this.token;
  }

  /** Sends a request. A path that does not start with a slash is relative to the repository. */
  async ask(method: string, path: string, options: AskOptions = {}): Promise<ClientAnswer> {
    const { body, headers } = options;
    const authorization =
      options.authorization === undefined ? `token ${await this.installationToken()}` : options.authorization;
    const address = path.startsWith('/') ? path : `/repos/${this.repository}${path === '' ? '' : `/${path}`}`;
    const answer = await fetch(this.double.apiUrl + address, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: {
        accept: 'application/vnd.github+json',
        ...(authorization === null ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: parsed(text) };
  }
}

/** A token with these claims, signed with the app's key. */
export function signedToken(double: GitHubDouble, claims: Readonly<Record<string, unknown>>): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  const signature = createSign('RSA-SHA256').update(content).sign(double.privateKey).toString('base64url');
  return `${content}.${signature}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
