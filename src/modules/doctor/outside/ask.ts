import { type IncomingHttpHeaders, type IncomingMessage, request as askPlainly } from 'node:http';
import { request as askEncrypted } from 'node:https';
import { onNoResponse } from '../../../platform/http/no-response';

/** The rest of a longer answer is ignored. */
const MOST_TEXT = 64 * 1024;
export const DEFAULT_LIMIT_MS = 10_000;

export interface ClientRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly limitMs?: number;
}

export interface Answered {
  readonly type: 'answered';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Unanswered {
  readonly type: 'no_answer';
  readonly why: string;
}

/** Sends one request on its own connection. Does not follow redirects, so the token goes to `address` only. */
export function ask(address: string, sent: ClientRequest = {}): Promise<Answered | Unanswered> {
  const { limitMs = DEFAULT_LIMIT_MS } = sent;
  return new Promise((resolve) => {
    const unanswered = (error: unknown): void => resolve({ type: 'no_answer', why: causeOf(error) });
    const request = begin(address, sent, (response) => {
      textOf(response).then((text) => {
        resolve({ type: 'answered', status: response.statusCode ?? 0, headers: response.headers, text });
        // A proxy may refuse a body that has not been sent completely.
        request.destroy();
      }, unanswered);
    });
    const late = setTimeout(() => request.destroy(new Error(`no answer within ${limitMs / 1_000} s`)), limitMs);
    request.once('close', () => clearTimeout(late));
    onNoResponse(request, unanswered);
  });
}

/**
 * Like `ask`, but the caller reads the answer while it arrives. The caller calls `onNoResponse` and ends the request.
 */
export function begin(
  address: string,
  { method = 'GET', headers = {}, body }: ClientRequest,
  respond: (response: IncomingMessage) => void,
): ReturnType<typeof askPlainly> {
  const send = address.startsWith('https:') ? askEncrypted : askPlainly;
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  return send(address, { method, headers: { ...headers, ...length }, agent: false }, respond).end(body);
}

export function causeOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return code ?? (message || String(error));
}

/** The JSON object of an answer; empty for an answer without one, such as the page of a proxy. */
export function objectIn({ text }: Answered): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The error code of the service; null: the answer is not an error of the service. */
export function errorCodeIn(answer: Answered): string | null {
  const { error } = objectIn(answer) as { readonly error?: { readonly code?: unknown } };
  return typeof error?.code === 'string' ? error.code : null;
}

/**
 * The name that a proxy gives itself in an answer; null: no proxy answered. The service itself sends no `Server` and no
 * `Via` header.
 */
export function proxyIn({ headers: { server, via } }: Pick<Answered, 'headers'>): string | null {
  return (server ?? via)?.toString() ?? null;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MOST_TEXT) break;
  }
  return text;
}
