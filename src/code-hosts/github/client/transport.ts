import { Octokit } from '@octokit/core';
import { HostUnavailable } from '../../../domain/code-host.port';
import { TookTooLong, withSecondTry } from '../../forge/client/host-answer';
import { Slots } from '../../../platform/slots';
import type { Route } from './routes';

const LIMIT_MS = 10_000;
/** The maximum number of concurrent requests. GitHub refuses more than a hundred. */
const AT_A_TIME = 20;
const API_VERSION = '2022-11-28';
const NO_LOG = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** An answer of GitHub with any status. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly body: unknown;
}

export const GRAPHQL = 'POST /graphql';

export interface RawRequest {
  readonly route: Route | typeof GRAPHQL;
  readonly parameters: object;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends requests over HTTP, each of which ends within ten seconds after it is sent. An answer with any status is
 * returned; only HostUnavailable is thrown.
 */
export class Transport {
  private readonly octokit: Octokit;
  private readonly slots = new Slots(AT_A_TIME);

  constructor(
    readonly host: string,
    private readonly apiUrl: string,
    private readonly limitMs = LIMIT_MS,
  ) {
    this.octokit = new Octokit({ baseUrl: apiUrl, userAgent: 'sluice', log: NO_LOG });
  }

  send(request: RawRequest): Promise<RawAnswer> {
    const isRead = request.route.startsWith('GET ');
    return withSecondTry(isRead, () => this.slots.run(() => this.sendOnce(request)));
  }

  /** The URL for GraphQL: `/graphql` on github.com, and `/api/graphql` on servers whose REST API is at `/api/v3`. */
  private graphQlUrl(): string {
    return `${this.apiUrl.replace(/\/+$/, '').replace(/\/api\/v3$/, '/api')}/graphql`;
  }

  private async sendOnce({ route, parameters, headers }: RawRequest): Promise<RawAnswer> {
    const [method = '', url = ''] = route.split(' ');
    const signal = AbortSignal.timeout(this.limitMs);
    const options = { signal, log: NO_LOG };
    const all = { ...headers, 'x-github-api-version': API_VERSION };
    try {
      const answer = await this.octokit.request<unknown>({
        ...parameters,
        method,
        url: route === GRAPHQL ? this.graphQlUrl() : url,
        headers: all,
        request: options,
      });
      return this.whole({ status: answer.status, headers: answer.headers, body: answer.data }, signal, route);
    } catch (error) {
      const answer = answerIn(error);
      if (answer !== null) return this.whole(answer, signal, route);
      if (error instanceof HostUnavailable) throw error;
      throw this.unavailable(signal, route, error instanceof Error ? error.message : 'no reason was given');
    }
  }

  /** Throws if the body was cut off, because Octokit then returns its beginning as a string instead of JSON. */
  private whole(answer: RawAnswer, signal: AbortSignal, route: RawRequest['route']): RawAnswer {
    const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json');
    if (isJson && typeof answer.body === 'string') throw this.unavailable(signal, route, 'the answer broke off');
    return answer;
  }

  private unavailable(signal: AbortSignal, route: RawRequest['route'], why: string): HostUnavailable {
    if (!signal.aborted) return new HostUnavailable(this.host, 'no_answer', `${this.host}: ${route}: ${why}`);
    return new TookTooLong(this.host, 'no_answer', `${this.host}: ${route} took longer than ${this.limitMs / 1000} s`);
  }
}

/**
 * The answer in an Octokit error; null if there was no answer. Octokit throws every answer with a status of 400 and
 * above.
 */
function answerIn(error: unknown): RawAnswer | null {
  const { response } = error as { response?: { status: number; headers: RawAnswer['headers']; data: unknown } };
  return response === undefined ? null : { status: response.status, headers: response.headers, body: response.data };
}

function nothing(): void {
  return undefined;
}
