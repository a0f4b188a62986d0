import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import { makeThrowAwayFolder } from '../support/throw-away-folder';
import { freePort, MovablePostgres } from './stop/movable-postgres';

/** What migrations are applied under. */
const MIGRATION_LOCK = 72_707_369;

describe('a service whose database is not there, or not ready', () => {
  let postgres: MovablePostgres;
  let child: ChildProcess | undefined;
  let log = '';
  let url = '';

  beforeAll(async () => {
    postgres = await MovablePostgres.create();
  }, 60_000);
  afterAll(async () => {
    child?.kill('SIGKILL');
    await postgres.stop();
  });

  const ask = async (
    path: string,
  ): Promise<{ status: number; retryAfter: string | null; body: unknown } | 'refused'> => {
    try {
      const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(10_000) });
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

  it('waits for it, migrates it under the eyes of probes, and starts', async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    child = spawn(process.execPath, [join(__dirname, 'stop', 'launch.cjs')], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: postgres.url,
        PORT: String(port),
        SLUICE_DATA_DIR: makeThrowAwayFolder(),
      },
    });
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text: Buffer) => (log += text.toString()));

    const waiting = await eventually('it waits', () => ask('/readyz'), problemIs('database'));
    expect(waiting).toEqual({
      status: 503,
      retryAfter: '5',
      body: { status: 'starting', checks: { database: { problem: 'is waited for' } } },
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
  }, 120_000);
});
