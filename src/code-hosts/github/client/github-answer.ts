import { HostUnavailable } from '../../../domain/code-host.port';
import { textAt } from '../../reading';
import type { RawAnswer } from './transport';

export type GitHubAnswer = GitHubReply | GitHubRefusal;

export interface GitHubReply {
  readonly type: 'answered';
  readonly status: number;
  readonly body: unknown;
  /** There is another page. */
  readonly hasMore: boolean;
}

/** A 4xx, except for rate limits and refused credentials. */
export interface GitHubRefusal {
  readonly type: 'refused';
  readonly status: number;
  readonly message: string;
  readonly body: unknown;
}

/** GitHub's advice for a secondary rate limit that names no time. */
const USUAL_WAIT_MS = 60_000;
const SECONDARY = /secondary rate limit|abuse detection/i;
/** A gateway in front of GitHub answered, and GitHub has not seen the request. */
const GATEWAY = new Set([502, 503, 504]);

/** Tells replies from refusals. Throws HostUnavailable for 5xx. */
export function classifyGitHubAnswer(host: string, route: string, answer: RawAnswer): GitHubAnswer {
  const { status, headers, body } = answer;
  if (status < 400) {
    return { type: 'answered', status, body, hasMore: /rel="next"/.test(String(headers.link ?? '')) };
  }
  const message = textAt(body, 'message') ?? `it answered with ${status}`;
  const said = `${host}: ${route}: ${message}`;
  if (GATEWAY.has(status)) throw new HostUnavailable(host, 'gateway_error', said);
  if (status >= 500) throw new HostUnavailable(host, 'server_error', said);
  return { type: 'refused', status, message, body };
}

/** The end of the rate limit that the answer reports. Null: it reports none. */
export function limitedUntil(answer: RawAnswer, now: Date): Date | null {
  if (answer.status !== 403 && answer.status !== 429) return null;
  const after = retryAfter(answer, now);
  if (after !== null) return after;
  if (String(answer.headers['x-ratelimit-remaining']) === '0') {
    const reset = Number(answer.headers['x-ratelimit-reset']);
    return new Date(Number.isFinite(reset) ? reset * 1000 : now.getTime() + USUAL_WAIT_MS);
  }
  const isLimit = answer.status === 429 || SECONDARY.test(textAt(answer.body, 'message') ?? '');
  return isLimit ? new Date(now.getTime() + USUAL_WAIT_MS) : null;
}

function retryAfter({ headers }: RawAnswer, now: Date): Date | null {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) ? new Date(now.getTime() + seconds * 1000) : null;
}
