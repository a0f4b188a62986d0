import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { runSluice } from '../../src/cli/run-sluice';

const ROOT = join(__dirname, '../..');

export interface Step {
  /** converted: turns a sample of a tool's output into impacted targets. tried: by a test of its own. */
  readonly does: 'followed' | 'started' | 'said' | 'converted' | 'tried';
  /** Where a file of that content is put, or which sample is converted; null: a command, or words. */
  readonly file: string | null;
  readonly text: string;
}

/** The blocks of a document that a comment before them marks, in order. */
export function stepsOf(document: string): readonly Step[] {
  const markdown = readFileSync(join(ROOT, document), 'utf8');
  const marked = /<!-- (followed|started|said|converted|tried)(?:: (\S+))? -->\n\n```\w+\n([\s\S]*?)```/g;
  return [...markdown.matchAll(marked)].map(([, does, file, text]) => ({
    does: does as Step['does'],
    file: file ?? null,
    text: text ?? '',
  }));
}

/** Rejects with what is known when the work does not end. */
export async function endsWithin(limitMs: number, work: Promise<void>, known: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(known())), limitMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const SAY_ENVIRONMENT = 'printf "\\n--- environment ---\\n"; env -0';
/** `npx sluice` as it is written; a process of its own for each would take most of the test's time. */
const SLUICE = `npx() {
  shift
  { printf '%s\\0' "$#" "$@"; env -0; } | curl -sS --fail-with-body --data-binary @- --unix-socket "$SLUICE_GUIDE" http://sluice/
}`;

/** What a person types into one terminal, one block after another: what is exported stays. */
export class Shell {
  private readonly sluice: Server;

  constructor(
    private readonly socket: string,
    public environment: Readonly<Record<string, string>>,
    private readonly folder = ROOT,
  ) {
    this.sluice = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        runAsAsked(Buffer.concat(chunks).toString('utf8')).then(
          ({ exit, said }) => response.writeHead(exit === 0 ? 200 : 500).end(said),
          // Without an answer the shell would wait for ever, and nobody would read why.
          (error: unknown) => response.writeHead(500).end(inspect(error)),
        );
      });
    }).listen(socket);
  }

  close(): void {
    this.sluice.close();
  }

  /** Answers what was printed; throws when a command fails. */
  async run(script: string): Promise<string> {
    const [printed = '', environment = ''] = (
      await this.bash(`set -euo pipefail\n${SLUICE}\n${script}\n${SAY_ENVIRONMENT}`)
    ).split('\n--- environment ---\n');
    this.environment = environmentIn(environment.split('\0'));
    return printed;
  }

  private bash(script: string): Promise<string> {
    const options = { cwd: this.folder, env: { ...this.environment, SLUICE_GUIDE: this.socket } };
    return new Promise((resolve, reject) => {
      execFile('bash', ['--norc', '-c', script], options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`A step of the guide failed:\n${script}\n${stdout}\n${stderr}`));
      });
    });
  }
}

/** Number of arguments, arguments, environment: as the function of the shell sends them. */
async function runAsAsked(sent: string): Promise<{ exit: number; said: string }> {
  const [count, ...rest] = sent.split('\0');
  const before = process.env;
  process.env = environmentIn(rest.slice(Number(count)));
  try {
    const { exit, out, err } = await sluice(...rest.slice(0, Number(count)));
    return { exit, said: exit === 0 ? out : out + err };
  } finally {
    process.env = before;
  }
}

export async function sluice(...args: readonly string[]): Promise<{ exit: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const terminal = {
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
    columns: undefined,
  };
  return { exit: await runSluice(args, terminal), ...said };
}

function environmentIn(pairs: readonly string[]): Record<string, string> {
  const named = pairs.filter((pair) => pair.includes('='));
  const entries = named.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
  return Object.fromEntries(entries);
}
