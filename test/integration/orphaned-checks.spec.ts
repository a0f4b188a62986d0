import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
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
import { makeCheckFolder } from '../../src/code-hosts/git/check-runner/check-folder';
import { clearOrphans } from '../../src/code-hosts/git/check-runner/confinement';
import { USER_RANGES } from '../../src/code-hosts/git/check-runner/user-ranges';
import { stateOfProcess } from '../../src/platform/embedded-postgres/processes';
import { describeWhere, itWhere, LINUX, ROOT } from '../support/only-where';

interface Running {
  readonly service: ChildProcess;
  readonly root: string;
  readonly pid: number;
}

describeWhere(LINUX)('the checks of a killed service', () => {
  let folder: string;
  const running: Running[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-orphans-'));
    // Other users must reach the folder: checks have their own users if the service runs as root.
    chmodSync(folder, 0o711);
  });

  afterEach(() => {
    for (const { service, pid } of running.splice(0)) {
      service.kill('SIGKILL');
      if (stateOfProcess(pid) === 'running') process.kill(-pid, 'SIGKILL');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(command: string, confinement = 'none'): Promise<Running> {
    const service = spawn(process.execPath, [join(__dirname, 'orphaned-check.cjs'), confinement, command], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: folder },
    });
    const [line] = (await once(service.stdout, 'data')) as [Buffer];
    const [root = '', pid] = line.toString().trim().split(' ');
    const started = { service, root, pid: Number(pid) };
    running.push(started);
    return started;
  }

  async function kill({ service }: Running): Promise<void> {
    service.kill('SIGKILL');
    await once(service, 'close');
  }

  /** Waits until the process has ended. If the process never ends, the time limit of the test makes the test fail. */
  async function untilGone(pid: number): Promise<'gone'> {
    while (stateOfProcess(pid) === 'running') await new Promise(setImmediate);
    return 'gone';
  }

  it('continue to run, until the next service ends them and removes their folders', async () => {
    const orphan = await start('sleep 300 & echo $! > ../home/child; wait');
    const child = () => Number(readFileSync(join(orphan.root, 'home/child'), 'utf8').trim() || 0);
    while (!existsSync(join(orphan.root, 'home/child')) || child() === 0) await new Promise(setImmediate);
    const grandchild = child();
    await kill(orphan);
    expect([orphan.pid, grandchild].map(stateOfProcess)).toEqual(['running', 'running']);
    expect(await clearOrphans(folder)).toEqual([orphan.root]);
    expect([await untilGone(orphan.pid), await untilGone(grandchild)]).toEqual(['gone', 'gone']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are told apart from checks of a running service and from other folders', async () => {
    const living = await start('sleep 300');
    const own = await makeCheckFolder(null, folder);
    mkdirSync(join(folder, 'sluice-check-mine'));
    expect(await clearOrphans(folder)).toEqual([]);
    expect(stateOfProcess(living.pid)).toBe('running');
    expect([living.root, own.root, join(folder, 'sluice-check-mine')].every(existsSync)).toBe(true);
  });

  it('are not mistaken for a later process with the same pid, and are found also without their file', async () => {
    const orphan = await start('sleep 300');
    const later = await start('sleep 300');
    await kill(orphan);
    const written = JSON.parse(readFileSync(join(orphan.root, 'process'), 'utf8')) as object;
    writeFileSync(join(orphan.root, 'process'), JSON.stringify({ ...written, pid: later.pid, start: 'earlier' }));
    expect(await clearOrphans(folder)).toEqual([orphan.root]);
    expect(await untilGone(orphan.pid)).toBe('gone');
    expect(stateOfProcess(later.pid)).toBe('running');
  });

  itWhere(ROOT)('attack 8: are ended together with all escaped processes, when they had their own users', async () => {
    const daemon = '(setsid sh -c \'trap "" HUP TERM; echo $$ > "$HOME/pid"; exec sleep 300\' &)';
    const orphan = await start(`${daemon}; env -i sleep 300`, 'own users');
    const written = join(orphan.root, 'home/pid');
    while (!existsSync(written) || readFileSync(written, 'utf8') === '') await new Promise(setImmediate);
    const daemonPid = Number(readFileSync(written, 'utf8'));
    await kill(orphan);
    expect([orphan.pid, daemonPid].map(stateOfProcess)).toEqual(['running', 'running']);
    expect(await clearOrphans(folder)).toEqual([orphan.root]);
    expect([orphan.pid, daemonPid].map(stateOfProcess)).not.toContain('running');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('have a folder that only the service owns, so a check cannot choose which process is ended', async () => {
    const first = USER_RANGES[0]?.first ?? 0;
    const { root } = await makeCheckFolder(process.getuid?.() === 0 ? { uid: first, gid: first } : null, folder);
    const { uid, mode } = statSync(root);
    expect([uid, mode & 0o027]).toEqual([process.getuid?.(), 0]);
  });
});
