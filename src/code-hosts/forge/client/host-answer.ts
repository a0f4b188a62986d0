import { HostUnavailable } from '../../../domain/code-host.port';

export type HostAnswer = HostReply | HostRefusal;

export interface HostReply {
  readonly type: 'answered';
  readonly status: number;
  readonly body: unknown;
}

/** An answer with status 4xx, except for rate limits and refused credentials. */
export interface HostRefusal {
  readonly type: 'refused';
  readonly status: number;
  readonly message: string;
}

/** Statuses with which a proxy in front of the server answers, so that the server has not seen the request. */
const GATEWAY = [502, 503, 504];
/** The wait after a rate limit that names no time. */
const USUAL_WAIT_MS = 60_000;

/** The refusal of a request, with the server's reason. Throws HostUnavailable if the server failed. */
export function hostRefusalOf(host: string, what: string, status: number, message: string): HostRefusal {
  if (status < 500) return { type: 'refused', status, message };
  const kind = GATEWAY.includes(status) ? 'gateway_error' : 'server_error';
  throw new HostUnavailable(host, kind, `${host}: ${what}: ${message}`);
}

/** The end of a rate limit. `after`: seconds, from `Retry-After`. */
export function endOfLimit(after: unknown, now: Date): Date {
  const seconds = Number(after ?? Number.NaN);
  return new Date(now.getTime() + (Number.isFinite(seconds) ? seconds * 1000 : USUAL_WAIT_MS));
}

export function rateLimited(host: string, until: Date): HostUnavailable {
  const message = `${host} limits the rate of requests until ${until.toISOString()}`;
  return new HostUnavailable(host, 'rate_limited', message, until);
}

/** No answer arrived in time. The server may have carried out the request all the same. */
export class TookTooLong extends HostUnavailable {}

/**
 * Sends a request, and sends a read a second time if no answer arrives: the server may have closed an idle connection,
 * which only the next request notices. Reading twice is harmless.
 */
export async function withSecondTry<Answer>(isRead: boolean, send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (!isRead || !(error instanceof HostUnavailable) || error instanceof TookTooLong) throw error;
    return send();
  }
}

/** The reply, or in words why there is none, for callers that only report the reason. */
export async function replyOrWhyNot<Reply extends HostReply>(
  ask: () => Promise<Reply | HostRefusal>,
): Promise<Reply | string> {
  try {
    const answer = await ask();
    return answer.type === 'answered' ? answer : answer.message;
  } catch (error) {
    if (error instanceof HostUnavailable) return error.message;
    throw error;
  }
}
