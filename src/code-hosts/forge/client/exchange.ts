import { HostUnavailable } from '../../../domain/code-host.port';
import { fetchFailure } from '../../reading';
import { TookTooLong } from './host-answer';

const LIMIT_MS = 10_000;

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** The parameters of a query. A list becomes a repeated parameter. */
export type HostQuery = Readonly<Record<string, string | number | boolean | readonly number[]>>;

export interface HostRequest {
  readonly query?: HostQuery;
  readonly body?: object;
  /** Set if the answer is a text of which only this many bytes at the end are kept. */
  readonly lastBytes?: number;
}

/** An answer of the host with any status. */
export interface RawHostAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

interface ApiServer {
  readonly host: string;
  /** The URL of the API, without a slash at the end. */
  readonly apiUrl: string;
  /** Headers that identify the service. */
  readonly authorization: Readonly<Record<string, string>>;
}

/** Sends one request, and reads its answer within ten seconds. Throws HostUnavailable if no answer arrives. */
export async function exchange(
  { host, apiUrl, authorization }: ApiServer,
  method: HttpMethod,
  path: string,
  { query = {}, body, lastBytes }: HostRequest,
): Promise<RawHostAnswer> {
  const url = new URL(`${apiUrl}${path}`);
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) url.searchParams.append(name, String(value));
  const signal = AbortSignal.timeout(LIMIT_MS);
  try {
    const answer = await fetch(url, {
      method,
      signal,
      // A followed redirect would send the token to another server, and could turn a write into a read, which would
      // look as if the write had worked.
      redirect: 'manual',
      headers: {
        ...{ ...authorization, accept: 'application/json', 'user-agent': 'sluice' },
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(lastBytes === undefined ? {} : { accept: '*/*', range: `bytes=-${lastBytes}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const { status, headers } = answer;
    if (lastBytes !== undefined && answer.ok) return { status, headers, body: await endOf(answer, lastBytes) };
    return { status, headers, body: parse(host, await answer.text(), answer) };
  } catch (error) {
    if (error instanceof HostUnavailable) throw error;
    const what = `${host}: ${method} ${path}`;
    if (signal.aborted) throw new TookTooLong(host, 'no_answer', `${what} took longer than ${LIMIT_MS / 1000} s`);
    throw new HostUnavailable(host, 'no_answer', `${what}: ${fetchFailure(error)}`);
  }
}

/** Reads the last bytes of an answer. A server may send the whole text, however long it is. */
async function endOf(answer: Response, bytes: number): Promise<string> {
  let end = Buffer.alloc(0);
  for await (const chunk of answer.body ?? []) end = Buffer.concat([end, chunk]).subarray(-bytes);
  return end.toString('utf8');
}

function parse(host: string, text: string, { status, headers }: Response): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const isJson = headers.get('content-type')?.includes('json') === true;
    // Redirects and answers of proxies are not JSON, and their status is enough.
    if (status >= 300 && !isJson) return null;
    throw new HostUnavailable(host, 'no_answer', `${host}: its answer broke off or is not JSON`);
  }
}
