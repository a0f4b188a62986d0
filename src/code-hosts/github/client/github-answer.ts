import { endOfLimit, type HostRefusal, type HostReply, hostRefusalOf } from '../../forge/client/host-answer';
import { textAt } from '../../reading';
import type { RawAnswer } from './transport';

export type GitHubAnswer = GitHubReply | GitHubRefusal;

export interface GitHubReply extends HostReply {
  /** Whether there is another page. */
  readonly hasMore: boolean;
}

/** An answer with status 4xx, except for rate limits and refused credentials. */
export interface GitHubRefusal extends HostRefusal {
  readonly body: unknown;
}

const SECONDARY = /secondary rate limit|abuse detection/i;

/** Distinguishes replies from refusals. Throws HostUnavailable for 5xx. */
export function classifyGitHubAnswer(host: string, route: string, answer: RawAnswer): GitHubAnswer {
  const { status, headers, body } = answer;
  if (status < 400) {
    return { type: 'answered', status, body, hasMore: /rel="next"/.test(String(headers.link ?? '')) };
  }
  const message = textAt(body, 'message') ?? `it answered with ${status}`;
  return { ...hostRefusalOf(host, route, status, message), body };
}

/** The end of the rate limit that the answer reports; null if it reports no limit. */
export function limitedUntil(answer: RawAnswer, now: Date): Date | null {
  if (answer.status !== 403 && answer.status !== 429) return null;
  const { headers, body } = answer;
  const after = headers['retry-after'];
  if (Number.isFinite(Number(after ?? Number.NaN))) return endOfLimit(after, now);
  if (String(headers['x-ratelimit-remaining']) === '0') {
    const reset = Number(headers['x-ratelimit-reset']);
    return Number.isFinite(reset) ? new Date(reset * 1000) : endOfLimit(null, now);
  }
  const isLimit = answer.status === 429 || SECONDARY.test(textAt(body, 'message') ?? '');
  return isLimit ? endOfLimit(null, now) : null;
}
