import { readFileSync } from 'node:fs';
import { request } from 'node:http';

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly repo: { host: string; owner: string; name: string }; readonly targetBranch: string };
  /**
   * The expected answer. It is absent in files from elsewhere; then the answer must be a success, or a 401 if the token
   * is not valid.
   */
  readonly answer?: { readonly status: number; readonly targetCount?: number; readonly impactsAll?: boolean };
}

/** Tokens in the files that stand for a valid token. All other tokens must be refused. */
const GOOD = ['good', 'tok'];
/**
 * "… 200000 in all" as the last element of a list means that the list has 200,000 elements, numbered like the first
 * one.
 */
const AND_SO_ON = /^… (\d+) in all$/;

export function readRecordedRequests(file: string): RecordedRequest[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line, (_key, value: unknown) => continued(value)) as RecordedRequest);
}

export function hasGoodToken({ headers }: RecordedRequest): boolean {
  return GOOD.includes(headers['x-api-token'] ?? '');
}

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** Whether the service sent "100 Continue" before its answer. */
  readonly continued: boolean;
}

/** Sends the recorded request over its own socket. The body waits for "100 Continue" if the recorded client did. */
export function replay(recorded: RecordedRequest, port: number, token: string): Promise<RawAnswer> {
  const body = Buffer.from(JSON.stringify(recorded.body));
  const headers: Record<string, string> = { ...recorded.headers, 'content-length': String(body.length) };
  if (hasGoodToken(recorded)) headers['x-api-token'] = token;
  return new Promise((resolve, reject) => {
    let continued = false;
    const sent = request(
      { host: '127.0.0.1', port, method: recorded.method, path: recorded.url, headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          sent.destroy();
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString(), continued });
        });
      },
    );
    sent.on('error', reject);
    if (headers.expect === undefined) sent.end(body);
    else {
      sent.on('continue', () => {
        continued = true;
        sent.end(body);
      });
      sent.flushHeaders();
    }
  });
}

function continued(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const [first] = value as unknown[];
  const [, total] = AND_SO_ON.exec(String(value.at(-1))) ?? [];
  if (total === undefined) return value;
  return Array.from({ length: Number(total) }, (_, i) => String(first).replace(/\d+$/, String(i + 1)));
}
