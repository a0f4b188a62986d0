import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { CHANNEL_HEADER } from '../platform/auth/channel';
import type { ClientSettings } from '../platform/config/client-settings';
import { onNoResponse } from '../platform/http/no-response';
import { CliError } from './cli-error';
import { senderFor } from './web-request';

const LIMIT_MS = 30_000;
/** The limit for answers before which the service may have to fetch much from the code host. */
const LONG_LIMIT_MS = 15 * 60_000;

/** The next step after a refusal, by error code. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  AUTHENTICATION_REQUIRED: 'Make a token with: sluice token create. Pass it with --token or SLUICE_TOKEN.',
  INVALID_TOKEN: 'See the tokens with: sluice token list --org <slug>. Make another with: sluice token create',
  INSUFFICIENT_PERMISSIONS:
    'Make a token with a sufficient role: sluice token create --org <slug> --name <name> --role <role>',
  VALIDATION_FAILED: 'See the arguments and options with: --help',
  REPOSITORY_NOT_FOUND:
    'Compare the name of the repository with the code host, and see whether the service may read the repository: sluice doctor. If the repository is in no organization yet: sluice repo add <repository> --org <slug>',
  BRANCH_NOT_FOUND: 'Name an existing branch of the repository with --branch.',
  MERGE_QUEUE_NOT_FOUND: 'Make the queue: sluice queue create <repository> --branch <branch>',
  PR_NOT_FOUND:
    'Open the pull request at the code host (plain git: push refs/pull/<number>/head). Then: sluice pr submit',
  QUEUE_ALREADY_EXISTS: 'Change the queue with: sluice queue update. See the queue with: sluice queue get',
  QUEUE_HAS_ACTIVE_ENTRIES:
    'See its pull requests with: sluice queue get. Cancel each pull request with: sluice pr cancel',
  PR_NOT_IN_ACTIVE_STATE: 'See its state with: sluice pr status',
  PR_NOT_ENQUEUEABLE: 'See its state with: sluice pr status. A closed or merged pull request cannot be queued.',
  PR_TESTS_NOT_RESTARTABLE: 'See what it waits for with: sluice pr status',
  MODE_CHANGE_IN_PROGRESS: 'Wait until the queue has changed its mode: sluice queue get',
  STATUSES_COME_FROM_HOST: 'Report the status to the code host, with its own API or its CI.',
  RATE_LIMIT_EXCEEDED: 'Wait a little, then run the command again.',
  UPSTREAM_ERROR: 'The code host did not answer; nothing was changed. Run the command again.',
  UNAVAILABLE: 'Nothing was changed. Run the command again.',
};

interface ServiceRequest extends Pick<RequestOptions, 'method' | 'headers' | 'signal'> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface ErrorAnswer {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: readonly { readonly field: string; readonly message: string }[];
  };
}

/**
 * Sends requests to the service over HTTP. Throws a CliError with the next step when the service refuses or does not
 * answer.
 */
export class ApiClient {
  /** `channel`: the channel of the requests in the audit log; absent: any program. */
  constructor(
    private readonly settings: ClientSettings,
    private readonly channel?: 'mcp',
  ) {}

  async post<T>(operation: string, body: object): Promise<T> {
    const response = await this.send(`/v1/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return JSON.parse(await this.read(response)) as T;
  }

  /** Sends one report as the body, and all other fields in the query. */
  async upload<T>(operation: string, query: Readonly<Record<string, string>>, report: string): Promise<T> {
    const response = await this.send(`/v1/${operation}?${new URLSearchParams(query).toString()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/xml' },
      body: report,
    });
    return JSON.parse(await this.read(response)) as T;
  }

  async get<T>(operation: string): Promise<T> {
    return JSON.parse(await this.text(`/v1/${operation}`)) as T;
  }

  async text(path: string): Promise<string> {
    return this.read(await this.send(path, {}));
  }

  /** Writes an answer of any size to a file. Returns its number of bytes. */
  async save(path: string, file: string): Promise<number> {
    const response = await this.send(path, { signal: AbortSignal.timeout(LONG_LIMIT_MS) }, 'bytes');
    let bytes = 0;
    response.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await pipeline(response, createWriteStream(file));
    return bytes;
  }

  /** Yields the answer in chunks as they arrive, until the service or `signal` ends it. */
  async *stream(path: string, signal: AbortSignal): AsyncGenerator<string> {
    const response = await this.send(path, { signal });
    try {
      for await (const text of response) yield text as string;
    } catch (error) {
      throw this.unreachable(error);
    }
  }

  private async send(
    path: string,
    { body, headers, ...options }: ServiceRequest,
    as: 'text' | 'bytes' = 'text',
  ): Promise<IncomingMessage> {
    const { url } = this.settings;
    const own = { 'x-api-token': requireToken(this.settings), ...(this.channel && { [CHANNEL_HEADER]: this.channel }) };
    const request = { signal: AbortSignal.timeout(LIMIT_MS), ...options, headers: { ...headers, ...own } };
    const response = await this.reach(`${url}${path}`, request, body);
    const { statusCode = 0, headers: answered } = response;
    if (statusCode === 200 && as === 'bytes') return response;
    response.setEncoding('utf8');
    if (statusCode === 200) return response;
    const text = await this.read(response);
    requireNoRedirect(statusCode, answered.location, url);
    throw refusal(statusCode, errorAnswerIn(text), url);
  }

  private reach(address: string, request: RequestOptions, body: string | undefined): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = senderFor(address)(address, request, resolve);
      onNoResponse(sent, (error) => reject(this.unreachable(error)));
      sent.end(body);
    });
  }

  private async read(response: IncomingMessage): Promise<string> {
    try {
      let text = '';
      for await (const part of response) text += part as string;
      return text;
    } catch (error) {
      throw this.unreachable(error);
    }
  }

  private unreachable(error: unknown): CliError {
    return new CliError(`No service answers at ${this.settings.url} (${reasonOf(error)}).`, {
      code: 'UNREACHABLE',
      next: 'Start it with: sluice serve. Or name another service with --url or SLUICE_URL.',
    });
  }
}

export function requireToken({ token }: ClientSettings): string {
  if (token !== undefined) return token;
  throw new CliError('There is no token: pass --token or set SLUICE_TOKEN.', {
    exit: 2,
    next: 'Make one with: sluice token create --org <slug> --name <name> --role submit',
  });
}

/** A redirect is an error, because its target would receive the token. */
function requireNoRedirect(status: number, location: string | undefined, url: string): void {
  if (status < 300 || status > 399 || location === undefined) return;
  const target = URL.canParse(location, url) ? new URL(location, url).origin : location;
  throw new CliError(`${url} answered with a redirect to ${target}. The token was not sent there.`, {
    code: 'REDIRECTED',
    next: `If the service is there, name its URL: --url ${target} or SLUICE_URL=${target}`,
  });
}

export function refusal(status: number, { error }: ErrorAnswer, url: string): CliError {
  if (error?.message === undefined) {
    return new CliError(`${url} answered ${status}, but not in the format of a merge queue.`, {
      next: 'Check --url or SLUICE_URL: it must be the address of the service, as in SLUICE_PUBLIC_URL.',
    });
  }
  const { message, code = 'FAILED', details } = error;
  return new CliError(message, { code, details, next: NEXT_STEPS[code] });
}

function errorAnswerIn(text: string): ErrorAnswer {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** The code of a connection error, such as ECONNREFUSED, or else the message of the error. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { cause, code, message } = error as { cause?: unknown; code?: unknown; message?: string };
  if (cause !== undefined) return reasonOf(cause);
  return typeof code === 'string' ? code : (message ?? '');
}
