import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { readConfig } from '../../src/platform/config/read-config';
import { connectionFileOf } from '../../src/platform/database/open-database';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { openDatabase } from '../../src/platform/database/open-database';
import { ENTERED_BY_OTHERS, itWhere, ROOT } from '../support/only-where';

const LAUNCHER = join(__dirname, 'embedded-launcher.cjs');

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A launcher in its own process, which can be killed. */
async function launch(dataDirectory: string): Promise<{ process: ChildProcess; url: string; serverPid: number }> {
  const child = spawn(process.execPath, [LAUNCHER, dataDirectory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { process: child, ...(JSON.parse(line) as { url: string; serverPid: number }) };
}

async function killHard(launcher: ChildProcess): Promise<void> {
  const gone = once(launcher, 'exit');
  launcher.kill('SIGKILL');
  await gone;
}

describe('the embedded PostgreSQL', () => {
  let home: string;
  let dataDirectory: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'sluice-embedded-'));
    chmodSync(home, 0o711);
    dataDirectory = join(home, 'postgres');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const start = () => startEmbeddedPostgres({ dataDirectory, database: 'sluice' });

  it('keeps its data over a restart, needs the password, and does not reveal the password', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)');
    const stranger = new URL(first.url);
    stranger.password = 'guess';
    await expect(query(stranger.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    expect(statSync(`${dataDirectory}.password`).mode & 0o777).toBe(0o600);
    expect(statSync(dataDirectory).mode & 0o777).toBe(0o700);
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
    await second.stop();
    expect(existsSync(`${dataDirectory}.owner`)).toBe(false);
  });

  it('refuses a second launcher, which does not affect the first', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(`${dataDirectory} is in use by process ${process.pid}`);
    expect(await query(first.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await first.stop();
  });

  it('accepts exactly one of several launchers after the process that owned it was killed', async () => {
    const killed = await launch(dataDirectory);
    await killHard(killed.process);
    const attempts = await Promise.allSettled([start(), start(), start()]);
    const started = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(started).toHaveLength(1);
    await started[0]?.stop();
  });

  it('survives the kill of its launcher: the next start ends the orphaned server, and no acknowledged data is lost', async () => {
    const killed = await launch(dataDirectory);
    await query(killed.url, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)');
    await killHard(killed.process);
    const next = await start();
    expect(next.pid).not.toBe(killed.serverPid);
    await expect(query(killed.url, 'SELECT 1')).rejects.toThrow();
    expect(await query(next.url, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
    await next.stop();
  });

  it('survives the kill of launcher and server', async () => {
    const killed = await launch(dataDirectory);
    await query(killed.url, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)');
    process.kill(killed.serverPid, 'SIGKILL');
    await killHard(killed.process);
    const next = await start();
    expect(await query(next.url, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
    await next.stop();
  });

  it('never signals another process that has the pid of an earlier server', async () => {
    await (await start()).stop();
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    writeFileSync(join(dataDirectory, 'postmaster.pid'), `${bystander.pid}\n${dataDirectory}\n`);
    const server = await start();
    await server.stop();
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
    bystander.kill('SIGKILL');
  });

  it('writes its URL into a file for commands on this machine while it runs, readable by its owner only', async () => {
    const config = readConfig({ SLUICE_DATA_DIR: home });
    const service = await openDatabase(config);
    expect(service.source).toBe('embedded-started');
    expect(statSync(connectionFileOf(home)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(connectionFileOf(home), 'utf8'))).toEqual({ url: service.url });
    const command = await openDatabase(config);
    expect([command.source, command.url]).toEqual(['embedded-running', service.url]);
    await command.stop();
    expect(await query(service.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await service.stop();
    expect(existsSync(connectionFileOf(home))).toBe(false);
  });

  const asRootForOthers = ROOT.isMet ? ENTERED_BY_OTHERS : ROOT;
  itWhere(asRootForOthers)('says what to do if it is started by a user that has no name on the machine', async () => {
    const nobody = 2_000_000_002;
    chownSync(home, nobody, nobody);
    const launched = promisify(execFile)(process.execPath, [LAUNCHER, dataDirectory], { uid: nobody, gid: nobody });
    await expect(launched).rejects.toThrow(
      `PostgreSQL cannot be set up by the user ${nobody}, who has no name on this machine. Add the user to /etc/passwd, or set DATABASE_URL.`,
    );
    expect(existsSync(dataDirectory)).toBe(false);
  });

  it('is not started when a database URL is given', async () => {
    const given = await openDatabase(
      readConfig({ SLUICE_DATA_DIR: home, DATABASE_URL: 'postgresql://somewhere/else' }),
    );
    expect([given.source, given.url]).toEqual(['given', 'postgresql://somewhere/else']);
    await given.stop();
    expect(existsSync(dataDirectory)).toBe(false);
  });
});
