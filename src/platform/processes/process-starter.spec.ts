import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { startProcess } from './process-starter';

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const ROOT = join(__dirname, '../../..');
const env = { PATH: process.env.PATH ?? '' };

function run(script: string, input: string | Buffer = '', onStdout?: (kill: () => void) => void): Promise<Ended> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const kill = startProcess(
      { file: '/bin/sh', args: ['-c', script], env, input },
      {
        stdout: (chunk) => {
          stdout.push(chunk);
          onStdout?.(kill);
        },
        stderr: (chunk) => stderr.push(chunk),
        failed: (why) => reject(new Error(why)),
        closed: (code, signal) =>
          resolve({ code, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
      },
    );
  });
}

/** The pid of the helper that starts the processes. */
async function starterPid(): Promise<number> {
  return Number((await run('echo $PPID')).stdout);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function ends(pid: number): Promise<void> {
  while (isAlive(pid)) await after(10);
}

describe('processes that a helper process starts', () => {
  it('run in their own processes, without the environment of the service', async () => {
    const starter = await starterPid();
    expect(starter).not.toBe(process.pid);
    expect(await starterPid()).toBe(starter);
    expect(readFileSync(`/proc/${starter}/environ`, 'utf8')).toMatch(/^(NODE_CHANNEL_[A-Z_]+=\w+\0)*$/);
  });

  it('get their input, and return their whole output and their exit code', async () => {
    const input = Buffer.from(Array.from({ length: 3_000_001 }, (_, index) => index % 256));
    const ended = await run('cat; echo no >&2; exit 3', input);
    expect(ended).toMatchObject({ code: 3, signal: null, stderr: 'no\n' });
    expect(ended.stdout.equals(input)).toBe(true);
  });

  it('may be many at once', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, (_, index) => run(`echo ${index}`)));
    expect(all.map(({ stdout }) => Number(stdout))).toEqual(all.map((_, index) => index));
  });

  it('are killed with everything they started', async () => {
    const { signal, stdout } = await run('sleep 600 & echo $!; wait', '', (kill) => kill());
    expect(signal).toBe('SIGKILL');
    await ends(Number(stdout));
  });

  it('are reported when they cannot be started', async () => {
    const why = await new Promise<string>((resolve) => {
      const nothing = () => undefined;
      const listener = { stdout: nothing, stderr: nothing, closed: nothing, failed: resolve };
      startProcess({ file: 'no-such-program', args: [], env, input: '' }, listener);
    });
    expect(why).toBe('spawn no-such-program ENOENT');
  });

  it('fail when the helper dies, and the next process gets a new helper', async () => {
    const starter = await starterPid();
    const running = run('sleep 600');
    process.kill(starter, 'SIGKILL');
    await expect(running).rejects.toThrow('the process that starts programs has ended');
    expect(await starterPid()).not.toBe(starter);
  });

  it('continue when the service gets a stop signal', async () => {
    const starter = await starterPid();
    const running = run('echo begun; sleep 0.3; exit 7', '', () => process.kill(starter, 'SIGTERM'));
    expect((await running).code).toBe(7);
  });

  it('do not keep the program that uses them from ending, and the helper ends with the program', async () => {
    const nothing = `stderr() {}, failed: console.error, closed() {}`;
    const order = `{ file: 'sh', args: ['-c', 'echo $PPID'], env: process.env, input: '' }`;
    const script = `require('./src/platform/processes/process-starter').startProcess(${order}, { stdout: (pid) => console.log(String(pid)), ${nothing} })`;
    const program = ['-r', './prisma/engine/load-typescript.cjs', '-e', script];
    const starter = Number(execFileSync(process.execPath, program, { cwd: ROOT, encoding: 'utf8', timeout: 9_000 }));
    expect(starter).toBeGreaterThan(0);
    await ends(starter);
  });
});
