import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { runSluice } from '../../src/cli/run-sluice';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import type { ForgeWebhooks } from '../support/forge/webhooks';
import { StartedService } from './stop/started-service';

const ROOT = join(__dirname, '../..');

export interface Step {
  /**
   * With `converted`, the step turns a sample of a tool's output into impacted targets. With `tried`, another test
   * covers the step.
   */
  readonly does: 'followed' | 'started' | 'said' | 'converted' | 'tried';
  /**
   * The path of the file that the block shows, or of the sample to convert; null for a command or the text of a
   * comment.
   */
  readonly file: string | null;
  readonly text: string;
}

/** The blocks of a document that a comment marks as steps, in order. */
export function stepsOf(document: string): readonly Step[] {
  const markdown = readFileSync(join(ROOT, document), 'utf8');
  const marked = /<!-- (followed|started|said|converted|tried)(?:: (\S+))? -->\n\n```\w+\n([\s\S]*?)```/g;
  return [...markdown.matchAll(marked)].map(([, does, file, text]) => ({
    does: does as Step['does'],
    file: file ?? null,
    text: text ?? '',
  }));
}

/** The actions with which a team follows a guide. */
export interface Walker {
  /** Carries out a step, and returns its output. */
  followed(step: Step): Promise<string>;
  started(): Promise<void>;
  /** Somebody writes this comment on a pull request, and CI passes on its testing branch. */
  said(words: string): Promise<void>;
  /** Facts that help to explain why a step does not end in time. */
  known(): object;
}

/** The time limit of one step. Even on a busy machine, a step takes this long only if it hangs. */
const STEP_LIMIT_MS = 5 * 60_000;
export const GUIDE_LIMIT_MS = 20 * 60_000;

/** Carries out the steps one after another, and returns the output of each followed step. */
export async function walk(steps: readonly Step[], walker: Walker): Promise<readonly string[]> {
  const printed: string[] = [];
  const take = async (step: Step): Promise<void> => {
    switch (step.does) {
      case 'followed':
        printed.push(await walker.followed(step));
        break;
      case 'started':
        return walker.started();
      case 'said':
        return walker.said(step.text.trim());
      case 'converted':
      case 'tried':
        throw new Error('A guide that is walked converts nothing, and all of it is followed.');
    }
  };
  for (const step of steps) await endsInTime(step, take(step), () => walker.known());
  return printed;
}

/** Resolves with the name of the testing branch after the code host reported its push. */
export function pushedTestingBranch(webhooks: ForgeWebhooks): Promise<string> {
  return new Promise((resolve) => {
    webhooks.fateOf = ({ event, body }) => {
      const { ref } = JSON.parse(body) as { ref?: string };
      const branch = (ref ?? '').replace('refs/heads/', '');
      if (event === 'push' && branch.startsWith('sluice-merge/')) resolve(branch);
      return 'delivered';
    };
  });
}

/** Facts about a mock code host, and facts about its repository and the service, if these exist. */
export function knownOf(
  { webhooks, requests }: { readonly webhooks: ForgeWebhooks; readonly requests: { readonly all: readonly object[] } },
  place: { comments(number: number): readonly { author: { login: string }; body: string }[] } | undefined,
  service: StartedService | undefined,
): object {
  return {
    comments: place?.comments(1).map(({ author, body }) => `${author.login}: ${body}`),
    deliveries: webhooks.deliveries.map(({ body: _, ...delivery }) => delivery),
    requests: requests.all,
    log: service?.log(),
  };
}

/**
 * Waits for the work of a step. If the step does not end in time, rejects with all known facts and with pending work in
 * the database.
 */
async function endsInTime(step: Step, work: Promise<void>, known: () => object): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = async (): Promise<never> => {
      const all = { ...known(), ...(await whatWaits()) };
      const facts = Object.entries(all).map(
        ([name, fact]) => `${name}: ${typeof fact === 'string' ? fact : shown(fact)}`,
      );
      throw new Error([`This step does not end:\n${step.text}`, ...facts].join('\n\n'));
    };
    timer = setTimeout(() => void giveUp().catch(reject), STEP_LIMIT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function shown(fact: unknown): string {
  return inspect(fact, { depth: 6, maxArrayLength: null, maxStringLength: 300, breakLength: 160 });
}

/** Host events and tasks that are not finished, and the state of every pull request. */
async function whatWaits(): Promise<object> {
  const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
  try {
    const events = await prisma.inboxDelivery.findMany({ orderBy: { id: 'asc' } });
    const tasks = await prisma.outboxTask.findMany({ where: { consumedAt: null }, orderBy: { id: 'asc' } });
    const entries = await prisma.entry.findMany({ select: { number: true, state: true, stateChangedAt: true } });
    return { events, tasks, entries, now: new Date() };
  } finally {
    await prisma.$disconnect();
  }
}

const SAY_ENVIRONMENT = 'printf "\\n--- environment ---\\n"; env -0';
/**
 * `sluice` as the guides write it. The command runs in this process, because a separate process for each call would
 * take most of the test's time.
 */
const SLUICE = `sluice() {
  { printf '%s\\0' "$#" "$@"; env -0; } | curl -sS --fail-with-body --data-binary @- --unix-socket "$SLUICE_GUIDE" http://sluice/
}`;

/** A terminal in which a person runs one block after another: exported variables stay. */
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
          // Without this answer the shell would wait for ever, and the error would be invisible.
          (error: unknown) => response.writeHead(500).end(inspect(error)),
        );
      });
    }).listen(socket);
  }

  close(): void {
    this.sluice.close();
  }

  /** Starts the service in the environment of this terminal. Later commands in the terminal call that service. */
  async startService(): Promise<StartedService> {
    const service = await StartedService.start({ ...this.environment, PORT: '0' });
    this.environment = { ...this.environment, SLUICE_URL: service.url };
    return service;
  }

  /** Runs the script. Returns its output, and throws when a command fails. */
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

/** `sent` has the number of arguments, the arguments, and the environment, in the format of the shell's function. */
async function runAsAsked(sent: string): Promise<{ exit: number; said: string }> {
  const [count, ...rest] = sent.split('\0');
  const [before, home] = [process.env, process.cwd()];
  process.env = environmentIn(rest.slice(Number(count)));
  process.chdir(process.env.PWD ?? home);
  try {
    const { exit, out, err } = await sluice(...rest.slice(0, Number(count)));
    return { exit, said: exit === 0 ? out : out + err };
  } finally {
    process.env = before;
    process.chdir(home);
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
