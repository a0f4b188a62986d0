import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckModes } from '../../src/code-hosts/git/check-modes';
import { lockDataDirectory } from '../../src/code-hosts/git/choose-confinement';
import { processesNow } from '../../src/code-hosts/git/check-runner/processes';
import { isUserOfChecks } from '../../src/code-hosts/git/check-runner/user-ranges';
import { Config } from '../../src/platform/config/config';
import { recordAttack } from '../support/attacks';
import { describeWhere, ROOT } from '../support/only-where';
import { World } from '../support/world';

const CONFIG = '.sluice/sluice.yaml';
const LIMITS = { checkProcesses: 100, checkMemoryMib: 300, checkOutputMib: 2, checkFileMib: 2 };
/** Only root gives each check its own user. For namespaces see attack-8-without-root.spec.ts. */
const asRoot = describeWhere(ROOT);

asRoot('attack 8: a check of a service that runs as root', () => {
  let world: World;
  let folder: string;
  let number = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-users-'));
    chmodSync(folder, 0o711);
    world = await World.create({ host: 'git', settings: { checkRunner: 'on', ...LIMITS } });
    await world.createQueue({ requiredStatuses: ['test'] });
  });

  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  /** Runs a check with a command that the pull request brings. Returns the state and the log of the check. */
  async function run(command: string): Promise<{ readonly state: string; readonly log: string }> {
    number += 1;
    // Each check writes down its user, because other tests may run checks at the same time.
    writeFileSync(join(folder, 'users'), '', { flag: 'a' });
    chmodSync(join(folder, 'users'), 0o666);
    const told = `id -u >> ${folder}/users; ${command}`;
    world.git.openPullRequest(number, {
      [CONFIG]: `ci:\n  test: ${JSON.stringify(told)}\n`,
      [`${number}.txt`]: 'x\n',
    });
    await world.submit(number);
    await world.settles();
    const check = await world.prisma.checkRun.findFirst({ where: { command: told } });
    return { state: check?.state ?? '', log: check?.log ?? '' };
  }

  const users = () => readFileSync(join(folder, 'users'), 'utf8').trim().split('\n').map(Number);

  const processesLeft = () => processesNow().filter(({ uids }) => uids.some((uid) => users().includes(uid)));

  const filesLeft = () =>
    ['/tmp', '/var/tmp', '/dev/shm', tmpdir()]
      .flatMap((shared) => readdirSync(shared).map((name) => join(shared, name)))
      .filter((path) => users().includes(lstatSync(path, { throwIfNoEntry: false })?.uid ?? 0));

  it('leaves no escaped process that could make a later failing pull request pass', async () => {
    const meddle = `for f in ${tmpdir()}/sluice-check-*/checkout; do echo exit 0 > $f/test.sh; done`;
    const daemon = `(setsid sh -c 'trap "" TERM HUP; : > "$HOME/up"; while :; do ${meddle}; done' >/dev/null 2>&1 &)`;
    expect(
      (await run(`${daemon}; until test -e "$HOME/up"; do :; done; touch /tmp/left.$$ /dev/shm/left.$$; exit 1`)).state,
    ).toBe('failure');
    expect(users()).toEqual([expect.any(Number)]);
    expect([processesLeft(), filesLeft()]).toEqual([[], []]);
    expect((await run('echo exit 1 > test.sh; sleep 0.2; sh test.sh')).state).toBe('failure');
    recordAttack({ attack: 'a daemon left by a failed check', answer: 'killed; the next red one fails' });
  });

  it('reads neither the environment of the service nor the password of its database', async () => {
    const all = [process.pid, process.ppid, '[0-9]*'].map((pid) => `/proc/${pid}/environ`).join(' ');
    const { log } = await run(`cat ${all} | tr "\\0" "\\n"; id; exit 1`);
    const { password } = new URL(process.env.DATABASE_URL ?? '');
    expect(log).toContain(`/proc/${process.pid}/environ: Permission denied`);
    expect(log).not.toContain('DATABASE_URL');
    expect(password === '' || !log.includes(password)).toBe(true);
    const [, uid = '', gid, groups] = /uid=(\d+) gid=(\d+) groups=([\d,]+)/.exec(log) ?? [];
    expect([isUserOfChecks(Number(uid)), gid, groups]).toEqual([true, uid, uid]);
    recordAttack({ attack: 'cat /proc/*/environ in a check', answer: 'Permission denied' });
  });

  it("does not become superuser of the database, and owns neither the database's user nor its files", async () => {
    const list = execFileSync('ps', ['-eo', 'pid=,uid=,args='], { encoding: 'utf8' });
    const [, pid = '', uid, folder = ''] = /^\s*(\d+)\s+(\d+) \S*postgres -D (\S+)/m.exec(list) ?? [];
    expect(folder).not.toBe('');
    const { log } = await run(
      `id -u; echo "host all all all trust" >> ${folder}/pg_hba.conf || echo refused; kill -9 ${pid} || echo refused; exit 1`,
    );
    expect(log.split('\n')[0]).not.toBe(uid);
    expect(log.match(/^refused$/gm)).toHaveLength(2);
    recordAttack({ attack: 'superuser by pg_hba.conf', answer: 'Permission denied' });
  });

  it('reads no repository, neither the cloned one nor a repository of another organization', async () => {
    const other = join(world.git.folder, 'repositories', 'other', 'secret.git');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'HEAD'), 'a secret\n');
    const { log } = await run(`for f in ${other}/HEAD ${world.git.bare}/HEAD; do cat $f || echo refused; done; exit 1`);
    expect(log).not.toContain('a secret');
    expect(log.match(/^refused$/gm)).toHaveLength(2);
    recordAttack({ attack: 'the repository of another organization', answer: 'Permission denied' });
  });

  it('has folders that only its own user can enter', async () => {
    const { log } = await run(
      `id -u; stat -c %a.%u . "$HOME" "$TMPDIR"; ls -d ${tmpdir()}/sluice-check-*/checkout; exit 1`,
    );
    const [uid, ...folders] = log.trim().split('\n');
    expect(folders.slice(0, 3)).toEqual(Array(3).fill(`700.${uid}`));
  });

  it.each([
    ['a fork bomb', 'f() { f | f; }; f', /fork/],
    [
      'a memory hog',
      "node -e 'for (const a = [];;) a.push(Buffer.alloc(1 << 24, 1))'",
      /used more than 300 MiB of memory/,
    ],
    ['endless output', 'yes', /wrote more than 2 MiB/],
    ['a file without end', 'yes > file', /too large|size limit/i],
  ])('fails, and the service stays alive: %s', async (attack, command, words) => {
    const { state, log } = await run(command);
    expect(log.slice(-1_000)).toMatch(words);
    expect([state, processesLeft()]).toEqual(['failure', []]);
    recordAttack({ attack, answer: 'a failed check; nothing of it runs' });
  });

  it('cannot open the private files of the data directory, whose folders other users may only pass', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'sluice-data-'));
    const repositories = join(dataDirectory, 'repositories');
    mkdirSync(repositories);
    for (const path of [dataDirectory, repositories]) chmodSync(path, 0o755);
    await lockDataDirectory(new Config({ ...world.app.get(Config), hosts: [], dataDirectory }));
    expect([dataDirectory, repositories].map((path) => statSync(path).mode & 0o777)).toEqual([0o751, 0o750]);
    rmSync(dataDirectory, { recursive: true });
  });

  it('passes after all these attacks', async () => {
    expect((await run('test -f README.md && ! test -e .git')).state).toBe('success');
  });
});

asRoot('attack 8: if users of checks could read a secret of the service', () => {
  let folder: string;
  let world: World;

  async function start(checkRunner: 'on' | 'unconfined'): Promise<void> {
    world = await World.create({ host: 'git', settings: { checkRunner, hostsFile: join(folder, 'hosts.json') } });
    await world.createQueue({ requiredStatuses: ['test'] });
    world.git.openPullRequest(1, { [CONFIG]: 'ci: { test: "true" }\n' });
    await world.submit(1);
    await world.settles();
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-public-'));
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'hosts.json'), 'webhookSecret', { mode: 0o644 });
  });

  afterEach(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  it('`on` runs no check, and the pull request says why and what to do', async () => {
    await start('on');
    const { state, waitingFor } = await world.record(1);
    const file = join(folder, 'hosts.json');
    expect(state).toBe('testing');
    expect(waitingFor).toContain(`The check runner is off: every user of the machine can read ${file}`);
    expect(waitingFor).toContain(`Run chmod o-rwx ${file} and start the service again; or accept`);
    expect(await world.prisma.checkRun.count()).toBe(0);
    recordAttack({ attack: 'a readable file with secrets', answer: 'the runner stays off, and says why' });
  });

  it('`unconfined` runs each check, still with a user of its own', async () => {
    await start('unconfined');
    expect(await world.stateOf(1)).toBe('merged');
    expect(world.app.get(CheckModes).present).toMatchObject({ confinement: { type: 'own users' } });
  });
});
