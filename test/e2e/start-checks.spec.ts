import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { withEmptyDatabase } from '../../prisma/commands/throw-away-server';
import { runSluice } from '../../src/cli/run-sluice';
import { readFoldedChains } from '../../src/platform/migrations/folded-chains';
import { MIGRATIONS_DIRECTORY } from '../../src/platform/migrations/migration-files';
import { canReach } from '../../src/platform/embedded-postgres/server-user';
import { describeWhere, itWhere, LINUX, type Need, ROOT } from '../support/only-where';
import { LAUNCH_SERVICE } from './stop/started-service';

const [ROOMY = '', LAUNCHER = '', BUNDLE = ''] = LAUNCH_SERVICE;
const NOBODY = 65_534;
const PRIVILEGED_PORT = 81;
const FIRST_LINE_LENGTH = 100;

interface Refusal {
  readonly exit: number | null;
  readonly output: string;
}

type Environment = Readonly<Record<string, string>>;

interface Circumstances extends Pick<SpawnOptions, 'uid' | 'gid'> {
  /** A command that runs the start of the service, such as `unshare`. */
  readonly within?: readonly string[];
  readonly bundle?: string;
}

/** Starts the service in its own process. Resolves when the process has ended. */
function start(environment: Environment, circumstances: Circumstances = {}): Promise<Refusal> {
  const { within = [], bundle = BUNDLE, ...user } = circumstances;
  const [file = '', ...args] = [...within, process.execPath, ROOMY, LAUNCHER, bundle];
  const env = { PATH: process.env.PATH, PORT: '0', ...environment };
  const child = spawn(file, args, { ...user, env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, output }));
  });
}

/**
 * Expects that the start ended with 1 and printed exactly these lines. The first line must be short, and there must be
 * no stack trace.
 */
function expectRefusal({ exit, output }: Refusal, ...lines: readonly (string | RegExp)[]): void {
  const said = output.trimEnd().split('\n');
  expect(said).toEqual(lines.map((line) => expect.stringMatching(line) as unknown));
  expect(said[0]!.length).toBeLessThanOrEqual(FIRST_LINE_LENGTH);
  expect(exit).toBe(1);
}

function isNobodyAble(): boolean {
  const nobody = { name: 'nobody', uid: NOBODY, gid: NOBODY };
  return process.getuid?.() !== 0 || [__dirname, process.execPath].every((path) => canReach(path, nobody));
}

/**
 * The user for starts that must not run as root: `nobody` if the tests run as root, otherwise the user of the tests.
 */
const ORDINARY_USER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const READABLE_SOURCES: Need = { isMet: isNobodyAble(), otherwise: 'an ordinary user must reach the sources and Node' };
const PRIVILEGED_PORTS: Need = {
  isMet: READABLE_SOURCES.isMet && firstOrdinaryPort() > PRIVILEGED_PORT,
  otherwise: 'this machine lets every user listen on every port',
};
const OWN_MOUNTS: Need = {
  isMet:
    ROOT.isMet && LINUX.isMet && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/dev/shm']).status === 0,
  otherwise: 'it mounts a small /dev/shm, as root on Linux',
};

function firstOrdinaryPort(): number {
  const file = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 1024;
}

describe('the start of the service', () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-start-'));
    chmodSync(folder, 0o777);
    // This start builds the bundle, which the ordinary user must be able to read.
    await start({ SLUICE_HISTORY_DAYS: '1' });
    chmodSync(BUNDLE, 0o644);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function folderOf(name: string): string {
    const path = join(folder, name);
    mkdirSync(path);
    chmodSync(path, 0o777);
    return path;
  }

  /** Starts on an empty database, which must stay empty. */
  async function startWithEmptyDatabase(environment: Environment): Promise<Refusal> {
    return withEmptyDatabase(process.env.DATABASE_URL ?? '', 'start', async (url) => {
      const refusal = await start({ DATABASE_URL: url, SLUICE_DATA_DIR: join(folder, 'unused'), ...environment });
      expect(await tablesIn(url)).toEqual([]);
      return refusal;
    });
  }

  async function tablesIn(url: string): Promise<readonly string[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    await client.end();
    return rows.map(({ name }) => name);
  }

  it('is refused without git, before the schema is touched', async () => {
    const refusal = await startWithEmptyDatabase({ PATH: folder });
    expectRefusal(
      refusal,
      /^git is missing: PATH does not find it\.$/,
      /^Install git 2\.38 or newer, or put its folder first in PATH, which is "/,
    );
  });

  it('is refused with a git that is too old, before the schema is touched', async () => {
    const path = folderOf('old-git');
    writeFileSync(join(path, 'git'), '#!/bin/sh\necho git version 2.37.9\n', { mode: 0o755 });
    const refusal = await startWithEmptyDatabase({ PATH: path });
    expectRefusal(refusal, /^git version 2\.37\.9 is too old\.$/, /^Install git 2\.38 or newer/);
  });

  it.each([
    [
      'a missing key file',
      { kind: 'github', appId: 1, privateKeyFile: '/missing.pem' },
      /"privateKeyFile" of git\.example names \/missing\.pem, which cannot be read\.$/,
    ],
    [
      'a key file without a key',
      { kind: 'github', appId: 1, privateKeyFile: __filename },
      /the private key of git\.example must be the PEM file/,
    ],
    [
      'a missing token file',
      { kind: 'gitea', tokenFile: '/missing' },
      /"tokenFile" of git\.example names \/missing, which cannot be read\.$/,
    ],
    [
      'a setting of another kind',
      { kind: 'gitlab', token: 'a', appId: 1 },
      /git\.example has the setting "appId", but a gitlab host knows only/,
    ],
    [
      'a URL without a place for the repository',
      { kind: 'git', url: '/srv' },
      /git\.example needs a "url" with \{owner\} and \{name\}/,
    ],
    [
      'an unknown kind',
      { kind: 'gihub' },
      /gives git\.example the kind "gihub", but there are adapters only for git, gitea, github, gitlab, memory\.$/,
    ],
  ])('is refused for %s, before the schema is touched', async (_, entry, sentence) => {
    const { exit, output } = await startWithEmptyDatabase({
      SLUICE_HOSTS: JSON.stringify([{ host: 'git.example', ...entry }]),
    });
    expect([exit, output.trimEnd().split('\n')]).toEqual([1, [expect.stringMatching(sentence)]]);
  });

  it('is refused for a certificate of DATABASE_URL that cannot be read', async () => {
    const refusal = await start({
      DATABASE_URL: 'postgresql://127.0.0.1:1/a?sslrootcert=/missing.pem',
      SLUICE_DATA_DIR: folder,
    });
    expectRefusal(refusal, /^sslrootcert of DATABASE_URL is "\/missing\.pem", which cannot be read \(ENOENT\)\.$/);
  });

  it('is refused for a database that does not exist', async () => {
    const url = new URL(process.env.DATABASE_URL ?? '');
    url.pathname = '/none';
    const refusal = await start({ DATABASE_URL: url.href, SLUICE_DATA_DIR: join(folder, 'unused') });
    expectRefusal(
      refusal,
      /^PostgreSQL refuses the connection: database "none" does not exist\.$/,
      /^Check the user, the password and the name/,
    );
  });

  it('is refused for a database of an earlier commit, and the database is not changed', async () => {
    const [chain] = readFoldedChains(MIGRATIONS_DIRECTORY);
    await withEmptyDatabase(process.env.DATABASE_URL ?? '', 'earlier', async (url) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(
        'CREATE TABLE _prisma_migrations (migration_name text, checksum text, finished_at timestamptz, logs text, rolled_back_at timestamptz)',
      );
      await client.query(`INSERT INTO _prisma_migrations VALUES ($1, '', now(), 'expand', NULL)`, [
        chain!.firstMigration,
      ]);
      await client.query(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET default_transaction_read_only = on`);
      const refusal = await start({ DATABASE_URL: url, SLUICE_DATA_DIR: join(folder, 'unused') });
      expectRefusal(
        refusal,
        /^An earlier commit of Sluice created the database, and this version cannot read it\.$/,
        new RegExp(
          `^Nothing was changed\\. Commit ${chain!.lastCommit} is the last commit that can read it: run that commit, or use an empty database\\.$`,
        ),
      );
      await client.end();
    });
  });

  it('is refused for a port that is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const refusal = await start({ PORT: String(port), SLUICE_DATA_DIR: join(folder, 'unused') });
    expectRefusal(refusal, new RegExp(`^PORT is ${port}, but another process listens there already\\.$`));
    other.close();
  });

  it('is refused for an address that the machine does not have', async () => {
    const refusal = await start({ PORT: '8999', SLUICE_LISTEN: '192.0.2.1', SLUICE_DATA_DIR: join(folder, 'unused') });
    expectRefusal(refusal, /^SLUICE_LISTEN is 192\.0\.2\.1, but this machine has no such address\.$/);
  });

  itWhere(PRIVILEGED_PORTS)('is refused for a port that only root may listen on', async () => {
    const dataDirectory = folderOf('port');
    const refusal = await start({ PORT: String(PRIVILEGED_PORT), SLUICE_DATA_DIR: dataDirectory }, ORDINARY_USER);
    expectRefusal(
      refusal,
      /^PORT is 81, but this user may not listen on it\.$/,
      /^Set PORT to 1024 or higher, behind a proxy that listens on 81, or give/,
    );
  });

  itWhere(READABLE_SOURCES)('is refused for a data folder that it cannot write', async () => {
    const locked = folderOf('locked');
    chmodSync(locked, 0o555);
    const refusal = await start({ SLUICE_DATA_DIR: join(locked, 'data') }, ORDINARY_USER);
    expectRefusal(
      refusal,
      /^SLUICE_DATA_DIR cannot be written: permission denied\.$/,
      /^Let the user with id \d+ write to .*\/locked\/data, or set SLUICE_DATA_DIR to another folder\.$/,
    );
  });

  it('is refused for a data folder that is a file', async () => {
    const refusal = await start({ SLUICE_DATA_DIR: __filename });
    expectRefusal(refusal, /^SLUICE_DATA_DIR cannot be written: a part of its path is a file\.$/, /^Let the user/);
  });

  itWhere(OWN_MOUNTS)('is refused for a /dev/shm that is too small', async () => {
    // The folder is not in TMPDIR, which may lie in the /dev/shm that the test replaces.
    const place = mkdtempSync('/var/tmp/sluice-start-');
    chmodSync(place, 0o755);
    const bundle = join(place, 'service.cjs');
    copyFileSync(BUNDLE, bundle);
    const small = 'mount -t tmpfs -o size=4k,mode=1777 tmpfs /dev/shm && exec "$@"';
    const within = ['unshare', '-m', 'sh', '-c', small, 'sh'];
    const refusal = await start({ SLUICE_DATA_DIR: join(place, 'data') }, { within, bundle });
    expectRefusal(
      refusal,
      /^The embedded PostgreSQL has too little shared memory: \/dev\/shm is too small\.$/,
      /^Make \/dev\/shm larger \(docker run --shm-size=256m\), or set DATABASE_URL\.$/,
    );
    rmSync(place, { recursive: true });
  });
});

describeWhere({ isMet: ROOT.isMet && LINUX.isMet, otherwise: 'it mounts a small disk, as root on Linux' })(
  'a disk that is full when the database is created',
  () => {
    const { PATH, DATABASE_URL } = process.env;
    let disk: string;

    beforeAll(() => {
      disk = mkdtempSync(join(tmpdir(), 'sluice-disk-'));
      mount('-t', 'tmpfs', '-o', 'size=8m,mode=0755', 'tmpfs', disk);
    });
    afterAll(() => {
      // The spec files of a family share a process, so this test restores the environment of the process.
      Object.assign(process.env, { PATH, DATABASE_URL });
      delete process.env.SLUICE_DATA_DIR;
      spawnSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    });

    function mount(...args: string[]): void {
      expect(spawnSync('mount', args).status).toBe(0);
    }

    async function sluice(...args: string[]): Promise<Refusal> {
      let output = '';
      const write = (text: string): void => void (output += text);
      return { exit: await runSluice(args, { out: write, err: write, columns: undefined }), output };
    }

    const FULL = /^The disk is full: the embedded PostgreSQL cannot write its data\.$/;
    const WAY_OUT =
      /^Free space for .* \(a new database needs 100 MB\), or set SLUICE_DATA_DIR to a folder on another disk\.$/;

    it('refuses the start and the commands that need the database, until the disk has space', async () => {
      expectRefusal(await start({ SLUICE_DATA_DIR: disk }), FULL, WAY_OUT);

      delete process.env.DATABASE_URL;
      process.env.SLUICE_DATA_DIR = disk;
      const { exit, output } = await sluice('org', 'list');
      expectRefusal({ exit, output: output.replace(/^sluice: /, '') }, FULL, WAY_OUT);

      mount('-o', 'remount,size=200m', disk);
      expect(await sluice('org', 'list')).toMatchObject({ exit: 0 });
    });

    it('is not the first check: without git, a command that starts the database is refused for that reason', async () => {
      process.env.PATH = disk;
      process.env.SLUICE_DATA_DIR = disk;
      const { exit, output } = await sluice('org', 'list');
      expectRefusal({ exit, output: output.replace(/^sluice: /, '') }, /^git is missing/, /^Install git/);
    });
  },
);
