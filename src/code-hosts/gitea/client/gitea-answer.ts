import { HostUnavailable } from '../../../domain/code-host.port';
import { textAt } from '../../reading';

/** Any answer, whatever its status. */
export interface RawGiteaAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export type GiteaAnswer = GiteaReply | GiteaRefusal;

export interface GiteaReply {
  readonly type: 'answered';
  readonly status: number;
  readonly body: unknown;
}

/** A 4xx, except for rate limits and refused credentials. */
export interface GiteaRefusal {
  readonly type: 'refused';
  readonly status: number;
  readonly message: string;
}

/** Advice for a rate limit that names no time. Gitea itself has none; a proxy in front of it may. */
const USUAL_WAIT_MS = 60_000;
/** A proxy in front of Gitea answered, and Gitea has not seen the request. */
const GATEWAY = new Set([502, 503, 504]);

/** What the answer says against the token; null: nothing. */
export function refusalOfToken({ status, body }: RawGiteaAnswer): string | null {
  return status === 401 ? textAt(body, 'message') || 'it answered with 401' : null;
}

/** Tells replies from refusals. Throws HostUnavailable for what could not be found out. */
export function classifyGiteaAnswer(host: string, what: string, { status, body }: RawGiteaAnswer): GiteaAnswer {
  if (status < 300) return { type: 'answered', status, body };
  const message = textAt(body, 'message') || `it answered with ${status}`;
  const said = `${host}: ${what}: ${message}`;
  if (status < 400) throw new HostUnavailable(host, 'another_repository', `${host}: ${what}: ${RENAMED}`);
  if (GATEWAY.has(status)) throw new HostUnavailable(host, 'gateway_error', said);
  if (status >= 500) throw new HostUnavailable(host, 'server_error', said);
  return { type: 'refused', status, message };
}

const RENAMED =
  'the repository has another name or owner now. Register it under that one, or give it back the name it had';

/** The end of the rate limit that the answer reports. Null: it reports none. */
export function retryTimeOf({ status, headers }: RawGiteaAnswer, now: Date): Date | null {
  if (status !== 429) return null;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new Date(now.getTime() + (Number.isFinite(seconds) ? seconds * 1000 : USUAL_WAIT_MS));
}
