import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DRAIN_LIMIT_MS } from '../../src/platform/lifecycle/lifecycle';
import { ApiClient } from '../support/api-client';
import { makeFreshClone } from '../support/fresh-clone';
import { EventStream } from '../e2e/event-stream';
import { Visitor } from '../e2e/visitor';
import { Chromium, describeInBrowser, type Person } from './browser';

/**
 * The limit is long, because `npm start` compiles first, and on a small machine all other checks run at the same time.
 */
const START_LIMIT_MS = 600_000;
const REPO = { host: 'local', owner: 'acme', name: 'shop' };
const LIVE = '/ui/live?repo=local/acme/shop&branch=main';

function makeRepository(folder: string): void {
  const who = { GIT_AUTHOR_NAME: 'ada', GIT_AUTHOR_EMAIL: 'ada@acme.test' };
  const committer = { GIT_COMMITTER_NAME: 'ada', GIT_COMMITTER_EMAIL: 'ada@acme.test' };
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { env: { ...process.env, ...who, ...committer }, input: '' })
      .toString()
      .trim();
  git('init', '--quiet', '--bare', '--initial-branch=main', folder);
  const nothing = git('-C', folder, 'hash-object', '-t', 'tree', '-w', '--stdin');
  git('-C', folder, 'update-ref', 'refs/heads/main', git('-C', folder, 'commit-tree', '-m', 'Open the shop', nothing));
}

/** `npm start` as a person types it, in a shell without this test run's variables. */
class NpmStart {
  private output = '';
  readonly url: Promise<string>;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  private readonly child: ChildProcess;

  constructor(private readonly clone: string) {
    this.child = spawn('npm', ['start'], {
      cwd: clone,
      env: this.environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.ended = new Promise((resolve) => this.child.once('close', (code, signal) => resolve(signal ?? code)));
    this.url = new Promise((resolve, reject) => {
      const read = (text: Buffer): void => {
        this.output += text.toString();
        const port = /listening on http:\/\/\S+?:(\d+)[;/]/.exec(this.output)?.[1];
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
      };
      this.child.stdout?.on('data', read);
      this.child.stderr?.on('data', read);
      void this.ended.then((code) => reject(new Error(`npm start ended with ${code}:\n${this.output}`)));
    });
  }

  sluice(...words: readonly string[]): string {
    const cli = join(this.clone, 'dist', 'cli', 'main.js');
    return execFileSync(process.execPath, [cli, ...words], { cwd: this.clone, env: this.environment() }).toString();
  }

  /** Signals all processes of `npm start`, like a terminal does. npm does not forward the signal to its processes. */
  terminate(): void {
    process.kill(-(this.child.pid ?? 0), 'SIGTERM');
  }

  async end(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.terminate();
    await this.ended;
  }

  log(): string {
    return this.output;
  }

  private environment(): NodeJS.ProcessEnv {
    const { PATH, HOME, TMPDIR } = process.env;
    return { PATH, HOME, TMPDIR, PORT: '0', SLUICE_STOP_DELAY_SECONDS: '0' };
  }
}

describeInBrowser('npm start, in a browser', () => {
  let clone: string;
  let service: NpmStart;
  let chromium: Chromium;
  let person: Person;
  let token: string;

  beforeAll(async () => {
    clone = makeFreshClone();
    service = new NpmStart(clone);
    makeRepository(join(clone, '.sluice', 'repositories', 'acme', 'shop.git'));
    const url = await service.url;
    chromium = await Chromium.start();
    person = await chromium.person(url);
  }, START_LIMIT_MS);
  afterAll(async () => {
    await chromium?.stop();
    await service?.end();
    rmSync(clone, { recursive: true, force: true });
  });

  it('serves sign-in and the list of queues without further setup', async () => {
    service.sluice('org', 'create', 'acme');
    const made = service.sluice('token', 'create', '--org', 'acme', '--name', 'me', '--role', 'admin', '--json');
    ({ token } = JSON.parse(made) as { token: string });
    await person.page.goto('/');
    expect(new URL(person.page.url()).pathname).toBe('/ui/sign-in');
    await new ApiClient(await service.url, token).mustPost('createQueue', { repo: REPO, targetBranch: 'main' });
    await person.signIn(token, 'ada');
    expect(new URL(person.page.url()).pathname).toBe('/ui');
    expect(person.complaints).toEqual([]);
  });

  it('stops within its grace period with 50 open pages, and an open page says that the service is away', async () => {
    const url = await service.url;
    const visitor = new Visitor(url);
    await visitor.signIn(token);
    const open = (): Promise<EventStream> => EventStream.open(url + LIVE, visitor.cookie());
    const streams = await Promise.all(Array.from({ length: 50 }, open));
    for (const stream of streams) expect(await stream.next()).toMatchObject({ event: 'version' });
    const told = performance.now();
    service.terminate();
    for (const stream of streams) expect(await stream.next()).toEqual({ event: 'end', data: 'the service stops' });
    await service.ended;
    expect(performance.now() - told).toBeLessThan(DRAIN_LIMIT_MS / 2);
    await person.page.waitForSelector('[data-away]:not([hidden])');
    expect(person.complaints).toEqual([]);
  });
});
