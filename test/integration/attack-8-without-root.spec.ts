import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { CheckMode } from '../../src/code-hosts/git/choose-confinement';
import { recordAttack } from '../support/attacks';
import { describeWhere, ENTERED_BY_OTHERS, itWhere, ROOT } from '../support/only-where';

interface Outcome {
  readonly mode: CheckMode;
  readonly ends: readonly {
    readonly type: string;
    readonly code?: number;
    readonly what?: string;
    readonly log: string;
  }[];
}

const { isMet: isRoot } = ROOT;
/**
 * The user of the check. If the tests run as root, this user exists nowhere else; otherwise it is the ordinary user of
 * the tests.
 */
const USER = isRoot ? { uid: 2_000_000_001, gid: 2_000_000_001 } : {};
const TRIAL = ['--user', '--map-root-user', '--mount', '--pid', '--fork', 'mount', '-t', 'proc', 'proc', '/proc'];
const NAMESPACES = {
  isMet: spawnSync('unshare', TRIAL, { ...USER, cwd: '/' }).status === 0,
  otherwise: 'this machine gives ordinary users no namespaces',
};
const SCRIPT = join(__dirname, 'unprivileged-check.cjs');
const SECRET = 'hunter2-of-the-database';
/**
 * An ordinary user's search path. On Debian, only root's path has the folders of root's programs, such as pivot_root.
 */
const ORDINARY_PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');

/** Starts only the runner, because the whole service would need a database that belongs to that user. */
describeWhere(ENTERED_BY_OTHERS)('attack 8: a check of a service that may not change the user of a process', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-unprivileged-'));
    chmodSync(folder, 0o700);
    for (const path of ['tmp', 'data/repositories/other/secret.git'])
      mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'data/repositories/other/secret.git/HEAD'), `${SECRET}\n`);
    writeFileSync(join(folder, 'hosts.json'), '[{"host":"local","kind":"git","url":"/srv/{owner}/{name}.git"}]');
    if (isRoot) spawnSync('chown', ['-R', `${USER.uid}:${USER.gid}`, folder]);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function run(checkRunner: 'on' | 'unconfined', commands: readonly string[], path?: string): Promise<Outcome> {
    const env = {
      PATH: path ?? ORDINARY_PATH,
      TMPDIR: join(folder, 'tmp'),
      DATABASE_URL: `postgresql://sluice:${SECRET}@127.0.0.1/sluice`,
      SLUICE_HOSTS: join(folder, 'hosts.json'),
    };
    const args = [SCRIPT, join(folder, 'data'), checkRunner, ...commands];
    const { stdout } = await promisify(execFile)(process.execPath, args, { ...USER, env, cwd: '/' });
    return JSON.parse(stdout) as Outcome;
  }

  const inNamespaces = itWhere(NAMESPACES);

  inNamespaces('sees no processes and files of the service or of other users', async () => {
    const { mode, ends } = await run('on', [
      `cat /proc/[0-9]*/environ | tr "\\0" "\\n"; ls /proc | grep -c "^[0-9]*$"`,
      `cat ${folder}/data/repositories/other/secret.git/HEAD || cat ${folder}/hosts.json || ls ${folder} /root /home/* || exit 3`,
      'umount -l /tmp; unshare --user --map-root-user --mount umount -l /home/check; kill -9 1; touch /x /usr/x /etc/x; test -d /check && ls / | grep -c left',
      `id -u; pwd; test -w "$HOME" -a -w "$TMPDIR" -a -w . && echo writable; (setsid sh -c "touch up; exec sleep 500.${process.pid}" >/dev/null 2>&1 &) ; until test -e up; do :; done; exit 7`,
    ]);
    expect(mode).toMatchObject({ type: 'runs', confinement: { type: 'namespaces' } });
    const [environment, files, undo, plain] = ends;
    expect(ends.map(({ log }) => log).join()).not.toContain(SECRET);
    expect(environment?.log).toContain('HOME=/home/check');
    expect(Number(environment?.log.trim().split('\n').at(-1))).toBeLessThan(10);
    expect(files).toMatchObject({ type: 'exited', code: 3 });
    expect(undo?.log.trim().split('\n').at(-1)).toBe('0');
    const uid = isRoot ? USER.uid : process.getuid?.();
    expect(plain).toMatchObject({ type: 'exited', code: 7, log: `${uid}\n/check\nwritable\n` });
    expect(spawnSync('pgrep', ['-f', `^sleep 500\\.${process.pid}$`]).stdout.toString()).toBe('');
    expect(readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('sluice-check'))).toEqual([]);
    recordAttack({ attack: 'environment, files and mounts, without root', answer: 'not there' });
  });

  inNamespaces('fails at the limits of its processes, memory and disk', async () => {
    const { ends } = await run('on', [
      'f() { f | f; }; f',
      "node -e 'for (const a = [];;) a.push(Buffer.alloc(1 << 24, 1))'",
      'yes > file',
    ]);
    expect(ends).toMatchObject([
      { type: 'exited' },
      { type: 'over_limit', what: 'used more than 300 MiB of memory' },
      {},
    ]);
    expect(ends[0]?.code).not.toBe(0);
    expect(ends[2]?.code).not.toBe(0);
  });

  itWhere(NAMESPACES.isMet ? ROOT : NAMESPACES)(
    'is not run, if the service runs as root without that right',
    async () => {
      const args = ['--bounding-set=-setuid,-setgid', process.execPath, SCRIPT, join(folder, 'data'), 'on', 'echo ran'];
      const { stdout } = await promisify(execFile)('setpriv', args, { env: { PATH: process.env.PATH }, cwd: '/' });
      expect(JSON.parse(stdout)).toEqual({
        mode: {
          type: 'refused',
          why: expect.stringMatching(/^checks cannot have users of their own .*EPERM/) as string,
          wayOut: expect.stringContaining('the capabilities SETUID, SETGID,') as string,
        },
        ends: [],
      });
    },
  );

  it('is not run if it cannot be confined, unless the settings accept that', async () => {
    // Without unshare in the search path no process can create namespaces.
    const tools = join(folder, 'tools');
    mkdirSync(tools);
    for (const name of ['sh', 'setsid', 'chmod', 'rm', 'nice', 'touch', 'cat', 'sleep', 'tr']) {
      spawnSync('ln', ['-s', `/bin/${name}`, join(tools, name)]);
    }
    if (isRoot) chownSync(tools, USER.uid ?? 0, USER.gid ?? 0);
    const { mode, ends } = await run('on', ['echo ran'], tools);
    expect(mode).toMatchObject({
      type: 'refused',
      why: expect.stringContaining('checks cannot have namespaces of their own (spawn unshare ENOENT)') as string,
      wayOut: expect.stringMatching(
        /Install unshare .* or start the service as root; .*SLUICE_CHECK_RUNNER=unconfined/,
      ) as string,
    });
    expect(ends).toEqual([]);
    const accepted = await run(
      'unconfined',
      [
        `echo ran; (setsid sh -c "touch up; exec sleep 501.${process.pid}" >/dev/null 2>&1 &); until [ -e up ]; do :; done`,
      ],
      tools,
    );
    expect(accepted).toMatchObject({ mode: { confinement: { type: 'none' } }, ends: [{ code: 0, log: 'ran\n' }] });
    expect(spawnSync('pgrep', ['-f', `^sleep 501\\.${process.pid}$`]).stdout.toString()).toBe('');
    recordAttack({ attack: 'neither users nor namespaces can be had', answer: 'the runner stays off' });
  });
});
