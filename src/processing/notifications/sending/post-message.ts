import { lookup } from 'node:dns';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { onNoResponse, NoResponse } from '../../../platform/http/no-response';
import { reachabilityOf } from './reachable-addresses';

/** The time limit for the connection, the request and the whole response together. */
const LIMIT_MS = 10_000;
/** The number of bytes of a response that are read, for people who examine a failed delivery. */
const MOST_READ = 1_024;
const LONGEST_SAID = 200;
/** The longest wait that a receiver can ask for. */
const LONGEST_WAIT_S = 3_600;

export interface OutgoingMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PostResult {
  readonly delivered: boolean;
  /** The HTTP status of the response; null if there was no response. */
  readonly status: number | null;
  /** Why the delivery failed, without secrets; null if the message was delivered. */
  readonly problem: string | null;
  /** The wait for which the receiver asked; null if it did not ask. */
  readonly retryAfterMs: number | null;
}

/**
 * Posts a message once, without following redirects. The address is checked after name resolution, when the connection
 * is made, so that the name cannot resolve to another address after the check. Never throws, and ends within
 * `limitMs`.
 */
export async function postMessage(
  message: OutgoingMessage,
  listed: BlockList,
  limitMs = LIMIT_MS,
): Promise<PostResult> {
  try {
    return await send(message, listed, limitMs);
  } catch (error) {
    return { delivered: false, status: null, problem: problemOf(error), retryAfterMs: null };
  }
}

class RefusedAddress extends Error {
  constructor() {
    super(
      'the address is not public: the operator of the service must list its network in SLUICE_WEBHOOK_ALLOWED_NETWORKS',
    );
  }
}

class NotSecure extends Error {
  constructor() {
    super('the address is public, so it must begin with https://');
  }
}

async function send({ url, headers, body }: OutgoingMessage, listed: BlockList, limitMs: number): Promise<PostResult> {
  const target = new URL(url);
  const isSecure = target.protocol === 'https:';
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const seen = { isInside: false };
  const check = (address: string): void => {
    const reachability = reachabilityOf(address, listed);
    if (reachability === 'refused') throw new RefusedAddress();
    if (reachability === 'public' && !isSecure) throw new NotSecure();
    seen.isInside = reachability === 'listed';
  };
  // If the URL has an address instead of a name, no name is resolved, so the address is checked here.
  if (isIP(host) !== 0) check(host);
  const length = String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': length },
      agent: false,
      lookup: checkedLookup(check),
    } as const;
    const request = (isSecure ? requestSecure : requestPlain)(target, options);
    let finish = (): void => reject(new NoResponse(`no answer within ${limitMs / 1_000} s`));
    const late = setTimeout(() => {
      finish();
      request.destroy();
    }, limitMs);
    request.once('close', () => clearTimeout(late));
    onNoResponse(request, reject);
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const delivered = status >= 200 && status < 300;
      const retryAfterMs = waitAskedIn(response.headers['retry-after']);
      let text = '';
      finish = (): void => {
        response.destroy();
        const problem = delivered ? null : said(status, seen.isInside ? '' : text);
        resolve({ delivered, status, problem, retryAfterMs: delivered ? null : retryAfterMs });
      };
      if (delivered) return finish();
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text = (text + part).slice(0, MOST_READ);
        if (text.length >= MOST_READ) finish();
      });
      response.on('end', finish);
      response.on('error', finish);
      response.once('close', finish);
    });
    request.end(body);
  });
}

function checkedLookup(check: (address: string) => void): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      try {
        for (const { address } of addresses) check(address);
      } catch (refused) {
        return callback(refused as Error, '');
      }
      const [first] = addresses;
      if (options.all) return callback(null, addresses);
      return callback(null, first?.address ?? '', first?.family);
    });
  };
}

/**
 * The problem in words. A response from inside the operator's network is not quoted, because the owner of a webhook
 * need not have access to that network.
 */
function said(status: number, text: string): string {
  const words = text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SAID);
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  return words === '' ? `answered ${status}` : `answered ${status}: ${words}`;
}

function waitAskedIn(header: string | undefined): number | null {
  const seconds = header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : 0;
  return seconds === 0 ? null : Math.min(seconds, LONGEST_WAIT_S) * 1_000;
}

function problemOf(error: unknown): string {
  if (error instanceof RefusedAddress || error instanceof NotSecure || error instanceof NoResponse)
    return error.message;
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed';
}
