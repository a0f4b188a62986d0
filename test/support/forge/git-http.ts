import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startProcess } from '../../../src/platform/processes/process-starter';

export interface GitAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

export interface GitRequest {
  readonly service: 'upload-pack' | 'receive-pack';
  readonly owner: string;
  readonly name: string;
  /** The part of the URL after the URL of the repository. */
  readonly path: string;
  readonly query: string;
}

const PATTERN = /^\/(.+)\/([^/]+?)(?:\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/;

/** The part of git's HTTP protocol that a request uses; null for any other request. */
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

/**
 * The capabilities of upload-pack in version 2 of the protocol, by the settings of a repository. These capabilities do
 * not depend on the repository's branches.
 */
const ABILITIES = new Map<string, Buffer>();

/**
 * Serves a bare repository like `git http-backend`, which would start another process for each request. `more` holds
 * environment variables for the repository's hooks.
 */
export async function serveRepository(
  bare: string,
  { service, path, query }: GitRequest,
  message: IncomingMessage,
  body: Buffer,
  more: Readonly<Record<string, string>>,
): Promise<GitAnswer> {
  const protocol = String(message.headers['git-protocol'] ?? '');
  const run = (args: readonly string[], input: Buffer): Promise<Buffer> =>
    outputOf([service, '--stateless-rpc', ...args, '.'], {
      cwd: bare,
      input,
      env: { GIT_PROTOCOL: protocol, ...more },
    });
  if (path !== '/info/refs') {
    const isPacked = message.headers['content-encoding'] === 'gzip';
    return answered(service, 'result', await run([], isPacked ? gunzipSync(body) : body));
  }
  if (new URLSearchParams(query).get('service') !== `git-${service}`) return said(403, 'Only the smart protocol.');
  const advertise = (): Promise<Buffer> => run(['--advertise-refs'], Buffer.alloc(0));
  if (service === 'receive-pack' || !protocol.split(':').includes('version=2')) {
    const title = `# service=git-${service}\n`;
    const length = (title.length + LENGTH_OF_LINE).toString(16).padStart(LENGTH_OF_LINE, '0');
    return answered(service, 'advertisement', Buffer.concat([Buffer.from(`${length}${title}0000`), await advertise()]));
  }
  const settings = readFileSync(join(bare, 'config'), 'utf8');
  const abilities = ABILITIES.get(settings) ?? (await advertise());
  ABILITIES.set(settings, abilities);
  return answered(service, 'advertisement', abilities);
}

const LENGTH_OF_LINE = 4;

function answered(service: string, what: 'advertisement' | 'result', content: Buffer): GitAnswer {
  const headers = { 'content-type': `application/x-git-${service}-${what}`, 'cache-control': 'no-cache' };
  return { status: 200, headers, content };
}

interface Run {
  readonly cwd: string;
  readonly input: Buffer;
  readonly env: Readonly<Record<string, string>>;
}

function outputOf(args: readonly string[], { cwd, input, env }: Run): Promise<Buffer> {
  const all = {
    PATH: process.env.PATH ?? '',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_COMMITTER_NAME: 'somebody',
    GIT_COMMITTER_EMAIL: 'somebody@http.127.0.0.1',
    ...env,
  };
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    startProcess(
      { file: 'git', args, env: all, cwd, input },
      {
        stdout: (chunk) => chunks.push(chunk),
        stderr: () => undefined,
        failed: (why) => reject(new Error(why)),
        // The error output of git is part of the answer.
        closed: () => resolve(Buffer.concat(chunks)),
      },
    );
  });
}

export function said(status: number, text: string): GitAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, content: Buffer.from(text) };
}

export function unauthorized(realm: string, text = 'Invalid username or token.'): GitAnswer {
  const answer = said(401, text);
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': `Basic realm="${realm}"` } };
}
