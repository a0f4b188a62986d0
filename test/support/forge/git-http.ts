import type { IncomingMessage } from 'node:http';
import { startProcess } from '../../../src/code-hosts/git/process-starter';

export interface GitAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

export interface GitRequest {
  readonly service: 'upload-pack' | 'receive-pack';
  readonly owner: string;
  readonly name: string;
  /** What follows the repository in the address. */
  readonly path: string;
  readonly query: string;
}

const PATTERN = /^\/(.+)\/([^/]+?)(?:\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/;

/** The part of git's HTTP protocol that a request asks for; null for any other request. */
export function gitRequestOf(path: string, query: string): GitRequest | null {
  const [, owner, name, rest] = PATTERN.exec(path) ?? [];
  if (owner === undefined || name === undefined || rest === undefined) return null;
  const isPush = rest === '/git-receive-pack' || new URLSearchParams(query).get('service') === 'git-receive-pack';
  return {
    service: isPush ? 'receive-pack' : 'upload-pack',
    owner: decodeURIComponent(owner),
    name: decodeURIComponent(name),
    path: rest,
    query,
  };
}

/** Runs `git http-backend` on a bare repository; `more`: environment for its hooks. */
export function runBackend(
  bare: string,
  { path, query }: GitRequest,
  message: IncomingMessage,
  body: Buffer,
  more: Readonly<Record<string, string>>,
): Promise<GitAnswer> {
  const header = (name: string): string => String(message.headers[name] ?? '');
  const env = {
    PATH: process.env.PATH ?? '',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_PROJECT_ROOT: bare,
    GIT_HTTP_EXPORT_ALL: '1',
    REQUEST_METHOD: message.method ?? '',
    PATH_INFO: path,
    QUERY_STRING: query,
    CONTENT_TYPE: header('content-type'),
    CONTENT_LENGTH: String(body.length),
    HTTP_CONTENT_ENCODING: header('content-encoding'),
    GIT_PROTOCOL: header('git-protocol'),
    REMOTE_USER: 'somebody',
    REMOTE_ADDR: '127.0.0.1',
    ...more,
  };
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    startProcess(
      { file: 'git', args: ['http-backend'], env, input: body },
      {
        stdout: (chunk) => chunks.push(chunk),
        stderr: () => undefined,
        failed: (why) => reject(new Error(why)),
        closed: () => resolve(parseAnswer(Buffer.concat(chunks))),
      },
    );
  });
}

/** Splits what a CGI program wrote into headers and content. */
function parseAnswer(output: Buffer): GitAnswer {
  const end = output.indexOf('\r\n\r\n');
  if (end < 0) return said(500, 'git http-backend said nothing');
  const headers: Record<string, string> = {};
  let status = 200;
  for (const line of output.subarray(0, end).toString('latin1').split('\r\n')) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else headers[name.toLowerCase()] = value;
  }
  return { status, headers, content: output.subarray(end + 4) };
}

export function said(status: number, text: string): GitAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, content: Buffer.from(text) };
}

export function unauthorized(realm: string, text = 'Invalid username or token.'): GitAnswer {
  const answer = said(401, text);
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': `Basic realm="${realm}"` } };
}
