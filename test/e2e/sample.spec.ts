import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runSluice } from '../../src/cli/run-sluice';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { deleteRepositoryRecords } from '../../src/cli/sample/delete-records';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { emptyDatabase } from '../support/empty-database';
import { repetitionsOfThisRun } from '../support/long-run';
import { makeThrowAwayFolder } from '../support/throw-away-folder';
import { StartedService } from './stop/started-service';
import { Visitor } from './visitor';

const ROOT = join(__dirname, '../..');
const LINK = /http\S+(\/ui\/sign-in-link\?code=sll_\S+)/;

/**
 * Runs `sluice` in this process. With `columns`, the command writes to a terminal of this width, otherwise to a pipe.
 */
async function sluice(
  columns: number | undefined,
  ...args: string[]
): Promise<{ exit: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const terminal = {
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
    columns,
  };
  return { exit: await runSluice(args, terminal), ...said };
}

/** `sluice sample` in its own process, which has only these environment variables. */
class StartedSample {
  output = '';
  private readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(args: readonly string[], cwd: string, environment: Readonly<Record<string, string>>) {
    const options = ['-r', join(ROOT, 'prisma/engine/load-typescript.cjs'), '-e', `require('${ROOT}/src/cli/main.ts')`];
    const env = { PATH: process.env.PATH, ...environment };
    this.child = spawn(process.execPath, [...options, 'sluice', 'sample', ...args], { cwd, env });
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (text: Buffer) => void (this.output += text.toString()));
  }

  async says(pattern: RegExp): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = () => pattern.test(this.output) && resolve();
      this.child.stdout?.on('data', look);
      void this.ended.then(() => resolve());
      look();
    });
  }

  interrupt(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.ended;
  }
}

const PLAYED = repetitionsOfThisRun(['off', 'unconfined'] as const);

describe.each(PLAYED)('sluice sample, with SLUICE_CHECK_RUNNER=%s', (checkRunner) => {
  const prisma = connectPrisma(process.env.DATABASE_URL ?? '');
  const before = { ...process.env };
  let folder: string;
  let service: StartedService;
  let environment: Record<string, string>;

  beforeAll(async () => {
    await emptyDatabase(prisma);
    folder = makeThrowAwayFolder();
    environment = { DATABASE_URL: process.env.DATABASE_URL ?? '', SLUICE_DATA_DIR: join(folder, 'data') };
    service = await StartedService.start({
      ...environment,
      ...{ PORT: '0', SLUICE_STOP_DELAY_SECONDS: '0', SLUICE_CHECK_RUNNER: checkRunner },
    });
    environment.SLUICE_URL = service.url;
    Object.assign(process.env, environment);
  });
  afterAll(async () => {
    process.env = before;
    await service.kill();
    await prisma.$disconnect();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => sluice(undefined, 'sample', '--remove'));

  const bare = () => join(folder, 'data/repositories/sample/deliveries.git');
  const subjects = () =>
    execFileSync('git', ['-C', bare(), 'log', '--format=%s', 'main']).toString().trim().split('\n');

  it('merges one pull request and fails the other with a reason, twice in a row', async () => {
    for (const [first, second] of [
      [1, 2],
      [3, 4],
    ] as const) {
      const { exit, out, err } = await sluice(undefined, 'sample');
      expect({ exit, err, out }).toEqual({ exit: 0, err: '', out: expect.any(String) as string });
      expect(out).toMatch(new RegExp(`^#${first} merged`, 'm'));
      expect(out).toMatch(new RegExp(`^#${second} failed: .*"test".*holds 10.*on top of #${first}`, 'm'));
      expect(out).toContain(`sluice explain local/sample/deliveries ${second}`);
      expect(out).toMatch(/^Watch the queue on its page: http:\/\/127\.0\.0\.1:\d+\/ui\/queue\?repo=local%2Fsample/);
    }
    expect(subjects()).toEqual([
      'Load 6 boxes of apples into van-3 (#3)',
      'Load 6 boxes of apples into van-1 (#1)',
      'Buy the first van',
    ]);
  });

  if (checkRunner === 'unconfined') return;

  it("works without a git identity, and does not change the caller's folder and repository", async () => {
    const [home, clone] = [join(folder, 'home'), join(folder, 'clone')];
    for (const path of [home, clone]) mkdirSync(path);
    execFileSync('git', ['init', '--quiet', clone]);
    const state = () => [execFileSync('git', ['-C', clone, 'for-each-ref']).toString(), ...readdirSync(clone)];
    const untouched = state();
    const nobody = {
      HOME: home,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_DIR: join(clone, '.git'),
    };
    const sample = new StartedSample([], clone, { ...environment, ...nobody });
    expect({ exit: await sample.ended, output: sample.output }).toEqual({ exit: 0, output: sample.output });
    expect(state()).toEqual(untouched);
  });

  it('ends with exit code 1 when it is interrupted, and the next call cancels its pull requests', async () => {
    const interrupted = new StartedSample([], folder, { ...environment, TMPDIR: folder });
    await interrupted.says(/^#1 /m);
    expect([await interrupted.interrupt(), interrupted.output]).toEqual([
      1,
      expect.stringContaining('The sample was interrupted.') as string,
    ]);
    expect(readdirSync(folder).filter((name) => name.startsWith('sluice-sample-'))).toEqual([]);
    expect((await sluice(undefined, 'sample')).exit).toBe(0);
  });

  it('prints a sign-in link on a terminal, and elsewhere the command that makes such a link', async () => {
    const onTerminal = await sluice(80, 'sample');
    const [, path = ''] = LINK.exec(onTerminal.out) ?? [];
    const visitor = new Visitor(service.url);
    await visitor.post('/ui/sign-in-link', { code: path.split('=')[1] ?? '' });
    expect((await visitor.get('/ui')).text).toContain('deliveries');
    const piped = await sluice(undefined, 'sample');
    expect(piped.out).not.toMatch(LINK);
    const [, command = ''] = /Sign in with a link: sluice (.+)/.exec(piped.out) ?? [];
    expect((await sluice(undefined, ...command.split(' '))).out).toMatch(LINK);
    expect((await visitor.get('/ui')).status).toBe(200);
    expect(service.log()).not.toMatch(/sll_\w{9}/);
  });

  describe('--remove', () => {
    it('deletes the repository and all its rows except those in the audit log', async () => {
      await sluice(80, 'sample');
      const ids = await idsOfSample();
      expect(ids.length).toBeGreaterThan(3);
      const audited = await prisma.auditEvent.count();
      expect(await sluice(undefined, 'sample', '--remove')).toMatchObject({ exit: 0, err: '' });
      expect(await tablesWith(ids)).toEqual(['AuditEvent']);
      expect(await prisma.auditEvent.count()).toBeGreaterThan(audited);
      expect(existsSync(join(folder, 'data/repositories/sample'))).toBe(false);
      expect((await sluice(undefined, 'sample', '--remove')).out).toBe('There is no sample to remove.\n');
      expect((await sluice(undefined, 'sample')).exit).toBe(0);
    });

    it('deletes from every table that refers to the rows of a repository or queue', async () => {
      const statements: string[] = [];
      const recorded = { $executeRawUnsafe: (text: string) => Promise.resolve(statements.push(text)) };
      await deleteRepositoryRecords(recorded as never, '');
      const [{ tables }] = await prisma.$queryRaw<[{ tables: string[] }]>`
        SELECT array_agg(DISTINCT c.conrelid::regclass::text) AS "tables" FROM pg_constraint c
        WHERE c.contype = 'f' AND c.confdeltype IN ('a', 'r')
          AND c.confrelid::regclass::text IN ('"Repository"', '"Queue"', '"TestRun"', '"Entry"')`;
      expect(tables.length).toBeGreaterThan(20);
      const left = tables.filter((table) => !statements.some((text) => text.startsWith(`DELETE FROM ${table}`)));
      // The sample does not upload results, so these two tables are empty.
      expect(left.sort()).toEqual(['"TestCase"', '"TestUpload"']);
    });

    it('keeps the organization if somebody created a token in it', async () => {
      await sluice(undefined, 'sample');
      await createToken(prisma, { organizationSlug: 'sample', name: 'ada', role: 'read' }, new Date());
      expect((await sluice(undefined, 'sample', '--remove')).out).toContain('so it stays');
      expect(await prisma.apiToken.findMany({ select: { name: true } })).toEqual([{ name: 'ada' }]);
      await prisma.apiToken.deleteMany();
    });

    it('keeps an organization of that name that the sample did not create', async () => {
      const { id } = await createOrganization(prisma, { slug: 'sample' }, new Date());
      for (const args of [['--remove'], []])
        expect(await sluice(undefined, 'sample', ...args)).toMatchObject({
          exit: 1,
          err: expect.stringContaining('was not made by this command') as string,
        });
      expect(await prisma.apiToken.count()).toBe(0);
      await prisma.organization.delete({ where: { id } });
    });
  });

  it('refuses a service whose data is in another folder', async () => {
    process.env.SLUICE_DATA_DIR = join(folder, 'elsewhere');
    const { exit, err } = await sluice(undefined, 'sample');
    process.env.SLUICE_DATA_DIR = environment.SLUICE_DATA_DIR;
    expect([exit, err]).toEqual([1, expect.stringMatching(/^sluice: The service runs on .* with its data in .*data;/)]);
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  it('says how to start a service if none runs, and creates nothing', async () => {
    delete process.env.DATABASE_URL;
    process.env.SLUICE_DATA_DIR = join(folder, 'empty');
    const refusals = [
      await sluice(undefined, 'sample'),
      await sluice(undefined, 'sample', '--url', 'http://localhost:1'),
    ];
    Object.assign(process.env, environment);
    expect(refusals.map(({ exit, err }) => [exit, err])).toEqual([
      [1, expect.stringMatching(/^sluice: The service at http:\/\/127.* does not have its data in .*empty\./)],
      [
        1,
        expect.stringMatching(/^sluice: No service runs .*empty\.\nStart it in another terminal with: sluice serve\n$/),
      ],
    ]);
    expect(existsSync(join(folder, 'empty'))).toBe(false);
  });

  /** The ids of the organization and of its rows in other tables. */
  async function idsOfSample(): Promise<string[]> {
    const all = await Promise.all([
      prisma.organization.findMany({ select: { id: true } }),
      prisma.repository.findMany({ select: { id: true } }),
      prisma.queue.findMany({ select: { id: true } }),
      prisma.apiToken.findMany({ select: { id: true } }),
      prisma.testRun.findMany({ select: { id: true } }),
      prisma.entry.findMany({ select: { id: true } }),
    ]);
    return all.flat().map(({ id }) => id);
  }

  /** Every table that has one of the ids in any column. */
  async function tablesWith(ids: readonly string[]): Promise<string[]> {
    const tables = await prisma.$queryRaw<{ name: string }[]>`
      SELECT c.oid::regclass::text AS "name" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY 1`;
    const found: string[] = [];
    for (const { name } of tables) {
      const statement = `SELECT count(*)::int AS "count" FROM ${name} t WHERE t::text ~ $1`;
      const [row] = await prisma.$queryRawUnsafe<{ count: number }[]>(statement, ids.join('|'));
      if (row!.count > 0) found.push(name.replaceAll('"', ''));
    }
    return found;
  }
});
