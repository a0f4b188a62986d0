import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { ApiClient } from '../support/api-client';
import { BareRepository } from '../support/bare-repository';
import { freePort, MovablePostgres } from '../support/movable-postgres';
import { LAUNCH_SERVICE } from './stop/started-service';

const REPO = { host: 'local', owner: 'acme', name: 'widgets' };
/** The advisory lock of migrations. */
const MIGRATION_LOCK = 72_707_369;

describe('a service without a usable database', () => {
  let postgres: MovablePostgres;
  let world: BareRepository;
  let child: ChildProcess | undefined;
  let log = '';
  let url = '';

  beforeAll(async () => {
    world = BareRepository.create();
    postgres = await MovablePostgres.create();
  });
  afterAll(async () => {
    child?.kill('SIGKILL');
    await postgres.stop();
    world.close();
  });

  interface Line {
    readonly level: string;
    readonly msg: string;
  }
  const lines = () =>
    log
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);

  /** Reports the required status of its test run. Returns the state of the pull request. */
  async function prove(api: ApiClient, number: number): Promise<string> {
    const pr = { repo: REPO, targetBranch: 'main', pr: { number } };
    const { body } = await api.post<{ testBranchSha?: string }>('getMergeQueueTestingDetails', pr);
    if (body.testBranchSha) {
      const report = { repo: REPO, sha: body.testBranchSha, context: 'test', state: 'success' };
      await api.mustPost('reportStatus', report);
    }
    return (await api.mustPost<{ state: string }>('getSubmittedPullRequest', pr)).state;
  }

  const ask = async (
    path: string,
    token = '',
  ): Promise<{ status: number; retryAfter: string | null; body: unknown } | 'refused'> => {
    try {
      const response = await fetch(`${url}${path}`, {
        method: path.startsWith('/v1/') ? 'POST' : 'GET',
        headers: { 'x-api-token': token, 'content-type': 'application/json' },
        body: path.startsWith('/v1/') ? '{}' : undefined,
        signal: AbortSignal.timeout(10_000),
      });
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
    } catch {
      return 'refused';
    }
  };

  async function eventually<T>(what: string, look: () => Promise<T>, isIt: (seen: T) => boolean): Promise<T> {
    let seen: T | undefined;
    for (let tries = 0; tries < 1_200; tries += 1) {
      seen = await look();
      if (isIt(seen)) return seen;
      await after(50);
    }
    throw new Error(`Never: ${what}, but ${JSON.stringify(seen)}\n${log}`);
  }

  const problemIs = (check: string) => (seen: Awaited<ReturnType<typeof ask>>) =>
    seen !== 'refused' && check in ((seen.body as { checks?: object }).checks ?? {});

  it('waits for the database, answers probes during the migration, and starts', async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    child = spawn(process.execPath, LAUNCH_SERVICE, {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: postgres.url,
        PORT: String(port),
        SLUICE_DATA_DIR: world.dataDirectory,
        SLUICE_HOSTS: JSON.stringify([{ host: 'local', kind: 'git', url: world.urlTemplate, pollSeconds: 1 }]),
      },
    });
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text: Buffer) => (log += text.toString()));

    const waiting = await eventually('it waits', () => ask('/readyz'), problemIs('database'));
    expect(waiting).toEqual({
      status: 503,
      retryAfter: '5',
      body: { status: 'starting', checks: { database: { problem: 'is not connected yet' } } },
    });
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
    expect(await ask('/v1/getMergeQueue')).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });

    await postgres.start();
    const other = new Client({ connectionString: postgres.url });
    await other.connect();
    await other.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    const migrating = await eventually('it migrates', () => ask('/readyz'), problemIs('migrations'));
    expect(migrating).toMatchObject({ status: 503, body: { status: 'starting' } });
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
    await other.end();

    await eventually(
      'it is ready',
      () => ask('/readyz'),
      (seen) => seen !== 'refused' && seen.status === 200,
    );
    expect(log.match(/The database does not answer/g)).toHaveLength(1);
    expect(log.match(/The database answers/g)).toHaveLength(1);
  });

  it('logs the beginning and the end of an outage once, refuses requests meanwhile, and continues', async () => {
    const client = connectPrisma(postgres.url);
    const now = new Date();
    await createOrganization(client, { slug: 'acme' }, now);
    const { token } = await createToken(client, { organizationSlug: 'acme', name: 'test', role: 'admin' }, now);
    await client.$disconnect();
    const api = new ApiClient(url, token);
    await api.mustPost('createQueue', { repo: REPO, targetBranch: 'main', requiredStatuses: ['test'] });

    for (const round of [1, 2]) {
      const before = lines().length;
      await postgres.stop();
      await eventually(
        'it is not ready',
        () => ask('/readyz'),
        (seen) => seen !== 'refused' && seen.status === 503,
      );
      const refused = await Promise.all([1, 2, 3].map(() => ask('/v1/listQueues', token)));
      for (const answer of refused) {
        expect(answer).toMatchObject({ status: 503, retryAfter: '5', body: { error: { code: 'UNAVAILABLE' } } });
      }
      expect(await ask('/healthz')).toMatchObject({ status: 200 });
      await postgres.start();
      await eventually(
        'it is ready',
        () => ask('/readyz'),
        (seen) => seen !== 'refused' && seen.status === 200,
      );
      world.openPullRequest(round, { [`${round}.txt`]: `${round}\n` });
      await api.mustPost('submitPullRequest', { repo: REPO, targetBranch: 'main', pr: { number: round } });
      await eventually(
        'it has merged',
        () => prove(api, round),
        (state) => state === 'merged',
      );
      const said = lines()
        .slice(before)
        .filter(({ level }) => level !== 'info' && level !== 'debug');
      expect(said.map(({ msg }) => msg)).toEqual([expect.stringMatching(/^The database does not answer \(.+\)\./)]);
      const back = lines()
        .slice(before)
        .filter(({ msg }) => /database answers/.test(msg));
      expect(back.map(({ msg }) => msg)).toEqual([
        expect.stringMatching(/^The database answers again, after \d+ s\.$/),
      ]);
    }
  });
});
