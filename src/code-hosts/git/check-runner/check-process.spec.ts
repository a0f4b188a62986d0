import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckLog, runCheck } from './check-process';
import { clearAway, makeFolderFor, programFor } from './confinement';

const LIMITS = { milliseconds: 20_000, memoryMiB: 1_024, processes: 100_000, fileMiB: 100, outputMiB: 10 };
const UNCONFINED = { type: 'none' } as const;

/** These checks run as the service's own user. The tests of attack 8 cover checks of other users. */
describe('The command of a check', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-check-process-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  async function run(command: string, more: { milliseconds?: number; signal?: AbortSignal } = {}) {
    const log = new CheckLog();
    const { signal = new AbortController().signal, milliseconds = LIMITS.milliseconds } = more;
    const limits = { ...LIMITS, milliseconds };
    const its = await makeFolderFor(UNCONFINED, folder);
    const end = await runCheck(
      { folder: its, program: programFor(UNCONFINED, its, command, limits), limits, signal },
      log,
    );
    await clearAway(its);
    return { end, log: log.toString() };
  }

  /** Resolves once the process has ended or is a zombie. A process that stays fails the test by its time limit. */
  async function untilGone(pid: string): Promise<string> {
    const status = `/proc/${pid.trim()}/status`;
    while (existsSync(status) && !/^State:\s+Z/m.test(contentOf(status))) await new Promise(setImmediate);
    return 'gone';
  }

  function contentOf(status: string): string {
    try {
      return readFileSync(status, 'utf8');
    } catch {
      return 'State: Z';
    }
  }

  it('runs in the given folder with the given environment only, and returns its exit code', async () => {
    const { end, log } = await run('pwd; env | sed "s/=.*//" | sort; echo oops >&2; exit 3');
    expect(end).toEqual({ type: 'exited', code: 3 });
    const names = log.split('\n').filter((line) => /^[A-Z_]+$/.test(line));
    expect(
      names.filter((name) => !['CI', 'PATH', 'HOME', 'TMPDIR', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)),
    ).toEqual([]);
    expect(log).toContain(folder);
    expect(log).toContain('oops');
  });

  it('is killed, with everything it started, when it takes too long', async () => {
    const { end, log } = await run('sleep 300 & echo $!; wait', { milliseconds: 300 });
    expect(end).toEqual({ type: 'timed_out' });
    expect(await untilGone(log)).toBe('gone');
  });

  it('leaves no process running', async () => {
    const { end, log } = await run('sleep 300 & echo $!');
    expect(end).toEqual({ type: 'exited', code: 0 });
    expect(await untilGone(log)).toBe('gone');
  });

  it('leaves no process running that has left its process group', async () => {
    const { log } = await run(
      'setsid sh -c \'echo $$; trap "" HUP TERM; touch "$HOME/up"; exec sleep 300\' & until test -e "$HOME/up"; do :; done',
    );
    expect(await untilGone(log)).toBe('gone');
  });

  it('stops on request', async () => {
    const stop = new AbortController();
    const running = run('sleep 300', { signal: stop.signal });
    stop.abort();
    expect((await running).end).toEqual({ type: 'stopped' });
    expect((await run('echo never', { signal: stop.signal })).log).toBe('');
  });

  it('keeps the last 64 KiB of its output, without NUL', async () => {
    const { log } = await run(
      'i=0; while [ $i -lt 20000 ]; do echo "line $i ......................"; i=$((i+1)); done; printf "a\\0b"',
    );
    expect(log.length).toBeLessThan(66_000);
    expect(log).toMatch(/^\[only the last 64 KiB\]\n/);
    expect(log).toContain('line 19999');
    expect(log).toMatch(/a\ufffdb$/);
  });
});
