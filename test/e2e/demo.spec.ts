import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from './client';
import type { Document } from '../openapi/document';
import { sendExamples } from '../openapi/send-examples';
import { inLongRun, inShortRun } from '../support/long-run';
import { DEMO_PULL_REQUESTS } from '../../src/cli/demo/pull-requests';

const PROGRAM = `require('./src/cli/main.ts')`;
/** A program that plays the first act alone, which is enough to test the rest of the demo. */
const FIRST_ACT_ALONE = `
  const { DEMO_ACTS } = require('./src/cli/demo/acts.ts');
  DEMO_ACTS.splice(1);
  require('./src/cli/demo/pull-requests.ts').DEMO_PULL_REQUESTS.splice(DEMO_ACTS[0].pullRequests.length);
  ${PROGRAM}`;

/** The demo ends automatically when nothing happens. On an idle machine, the demo takes a minute. */
const LIMIT_MS = 600_000;

class Demo {
  /** All demos that tests started. Every demo is ended after its test, even if the test failed. */
  static readonly begun: Demo[] = [];

  output = '';
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;

  constructor(args: readonly string[] = [], program = PROGRAM) {
    Demo.begun.push(this);
    const options = ['-r', './prisma/engine/load-typescript.cjs', '-e', program];
    this.child = spawn(process.execPath, [...options, 'sluice', 'demo', ...args], { cwd: join(__dirname, '../..') });
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (text: Buffer) => {
        this.output += text.toString();
      });
    }
  }

  exit(): Promise<number | null> {
    return this.ended;
  }

  /** Resolves with the output as soon as it matches, or with the complete output when the demo ends. */
  async says(pattern: RegExp): Promise<string[]> {
    await new Promise<void>((resolve) => {
      const look = () => pattern.test(this.output) && resolve();
      this.child.stdout?.on('data', look);
      void this.ended.then(() => resolve());
      look();
    });
    return [...(pattern.exec(this.output) ?? [])];
  }

  /** Stops reading the output, as `head` does after enough lines. */
  stopReading(): void {
    this.child.stdout?.destroy();
  }

  interrupt(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.ended;
  }

  get folder(): string {
    return /pull requests: (.+)\/repositories\//.exec(this.output)?.[1] ?? '';
  }
}

describe('npm run demo', () => {
  afterEach(() => Promise.all(Demo.begun.splice(0).map((demo) => demo.interrupt())));

  inLongRun(() => {
    it(
      'ends without a user, with exit code 0, and every merged tree passed its test',
      async () => {
        const demo = new Demo();
        const exit = await demo.exit();
        expect({ exit, output: demo.output }).toEqual({
          exit: 0,
          output: expect.stringContaining('Everything ended as expected.') as string,
        });
        for (const { number, ends } of DEMO_PULL_REQUESTS) {
          expect(demo.output).toMatch(new RegExp(`#${number} ${ends.state} · ${ends.reason}`));
        }
        const merged = DEMO_PULL_REQUESTS.filter(({ ends }) => ends.state === 'merged');
        const trees = demo.output.match(/^ {2}[0-9a-f]{7} \w+: .*$/gm) ?? [];
        // In sequential mode and in flow scheduling, the two pull requests ahead of the failing one in a batch merge in
        // one move. The pull requests of a stack also merge in one move.
        const inOneMove = [13, 21, 25, 26];
        for (const { number } of merged)
          expect([number, trees.some((line) => line.endsWith(`(#${number})`))]).toEqual([
            number,
            !inOneMove.includes(number),
          ]);
        const took = [
          ...demo.output.matchAll(
            /^This took (\d+) test runs?(?:; with sequential scheduling the same took (\d+))?\.$/gm,
          ),
        ];
        expect(took).toHaveLength(6);
        const [, inOrder, inFlow] = took;
        expect([inOrder![2], inFlow![2]]).toEqual([undefined, inOrder![1]]);
        expect(demo.output).toContain('\nThis took 1 test run.\n');
        expect(demo.output).toMatch(/^The queue reports for #28: main itself has .* its tests.*: nobody is blamed/m);
        expect(trees.filter((line) => !line.includes(' passed: '))).toEqual([]);
        expect(demo.folder).not.toBe('');
        expect(existsSync(demo.folder)).toBe(false);
      },
      LIMIT_MS,
    );

    it(
      'leaves no files or processes when its output is closed',
      async () => {
        const demo = new Demo();
        await demo.says(/#\d+ testing/);
        demo.stopReading();
        await demo.exit();
        expect(demo.folder).not.toBe('');
        expect(existsSync(demo.folder)).toBe(false);
      },
      LIMIT_MS,
    );
  });

  inShortRun(() => {
    it(
      'with --stay answers every example of /openapi.json, and leaves no files when it is interrupted',
      async () => {
        const demo = new Demo(['--stay'], FIRST_ACT_ALONE);
        const [, url, token] = await demo.says(/Swagger UI +(\S+)\/docs[\s\S]*Token +(\S+)\n[\s\S]*Ctrl-C/);
        expect({ url, output: demo.output }).toEqual({
          url: expect.stringMatching(/^http/) as string,
          output: demo.output,
        });
        expect(demo.output).toMatch(
          /^Page +http\S+\/ui\nSign in +SLUICE_DATA_DIR=\S+ sluice sign-in-link --org demo\n/m,
        );
        const client = new Client(url ?? '', token);
        const queue = { repo: { host: 'local', owner: 'demo', name: 'widgets' }, targetBranch: 'main' };
        const { body } = await client.post('getQueue', queue);
        expect(body).toMatchObject({ branch: 'main', concurrency: 3, enqueuedPullRequests: [] });
        const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
        const { sent, successes, surprises } = await sendExamples(document, client);
        expect(surprises).toEqual([]);
        expect(sent).toBeGreaterThanOrEqual(13);
        // Some examples cannot succeed: createQueue finds an existing queue, promotion and restart find cancelled pull
        // requests, and deleteQueue finds entries. Seven examples need the id of a test or a move, and eight the id of
        // a webhook.
        expect(sent - successes).toBeLessThanOrEqual(19);
        expect(await demo.interrupt()).toBe(0);
        expect(existsSync(demo.folder)).toBe(false);
      },
      LIMIT_MS,
    );
  });

  inLongRun(() => {
    it(
      'leaves no files or processes when it is interrupted during its first act',
      async () => {
        const demo = new Demo();
        await demo.says(/#\d+ testing/);
        expect(await demo.interrupt()).toBe(1);
        expect(demo.output).toContain('The demo was interrupted.');
        expect(existsSync(demo.folder)).toBe(false);
      },
      LIMIT_MS,
    );
  });
});
