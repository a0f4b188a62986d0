import childProcess, { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

export interface ProgramOptions {
  readonly cwd: string;
  /** The environment of the program; the environment of this process if absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: Buffer;
}

export interface ProgramEnd {
  /** The exit code; null if a signal ended the program. */
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

type Answer = ProgramEnd | { readonly error: string };

interface SmallProcess {
  readonly orders: number;
  readonly answers: number;
}

const LENGTH_BYTES = 4;

/**
 * Runs a program to its end while this process waits, like `spawnSync`, but from a small process. To start a program,
 * the system copies the memory tables of the process that starts it, and a jest worker has 600 MB of memory. Throws
 * when the program cannot start.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  { cwd, env = process.env, input }: ProgramOptions,
): ProgramEnd {
  const { orders, answers } = smallProcess();
  const order = serialize({ file, args, cwd, env: { ...env }, input });
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(order.length);
  writeAll(orders, length);
  writeAll(orders, order);
  const answer = deserialize(readExactly(answers, readExactly(answers, LENGTH_BYTES).readUInt32LE())) as Answer;
  if ('error' in answer) throw new Error(`${file} could not be started: ${answer.error}`);
  return answer;
}

/** Like `runProgram`, but throws unless the program exits with 0. Returns its output. */
export function outputOfProgram(file: string, args: readonly string[], options: ProgramOptions): Buffer {
  const { status, stdout, stderr } = runProgram(file, args, options);
  if (status === 0) return stdout;
  throw Object.assign(new Error(`Command failed: ${file} ${args.join(' ')}\n${stderr.toString()}`), { status });
}

/** One small process for all suites of a worker: jest loads this file again for each suite, but not Node's modules. */
function smallProcess(): SmallProcess {
  const shared = childProcess as unknown as Record<symbol, SmallProcess | undefined>;
  return (shared[Symbol.for('sluice.small-process')] ??= startSmallProcess());
}

function startSmallProcess(): SmallProcess {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-small-'));
  const [orders, answers] = [join(folder, 'orders'), join(folder, 'answers')];
  execFileSync('mkfifo', [orders, answers]);
  const program = `(${programOfSmallProcess.toString()})(${JSON.stringify({ orders, answers, lengthBytes: LENGTH_BYTES })})`;
  // The small process ends with this process, because then nobody has its pipe open any more.
  spawn(process.execPath, ['--max-semi-space-size=1', '-e', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  }).unref();
  const opened = { orders: openSync(orders, 'w'), answers: openSync(answers, 'r') };
  rmSync(folder, { recursive: true });
  return opened;
}

function writeAll(to: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(to, bytes, written);
}

function readExactly(from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let got = 0; got < length;) {
    const more = readSync(from, bytes, got, length - got, null);
    if (more === 0) throw new Error('The small process that starts programs has ended.');
    got += more;
  }
  return bytes;
}

/** The program of the small process. The program is passed as text, so it uses nothing from outside. */
function programOfSmallProcess(paths: { orders: string; answers: string; lengthBytes: number }): void {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const fs = process.getBuiltinModule('node:fs');
  const v8 = process.getBuiltinModule('node:v8');
  const orders = fs.openSync(paths.orders, 'r');
  const answers = fs.openSync(paths.answers, 'w');

  function read(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let got = 0; got < length;) {
      const more = fs.readSync(orders, bytes, got, length - got, null);
      if (more === 0) process.exit(0);
      got += more;
    }
    return bytes;
  }

  for (;;) {
    const { file, args, cwd, env, input } = v8.deserialize(read(read(paths.lengthBytes).readUInt32LE())) as {
      file: string;
      args: string[];
      cwd: string;
      env: Record<string, string>;
      input?: Buffer;
    };
    const { error, status, stdout, stderr } = spawnSync(file, args, { cwd, env, input, maxBuffer: 1 << 28 });
    // The error may only mean that the program ended before it had read its whole input.
    const isStarted = status !== null || error === undefined || (error as NodeJS.ErrnoException).code === 'EPIPE';
    const answer = v8.serialize(isStarted ? { status, stdout, stderr } : { error: error.message });
    const length = Buffer.alloc(paths.lengthBytes);
    length.writeUInt32LE(answer.length);
    for (const bytes of [length, answer]) {
      for (let written = 0; written < bytes.length;) written += fs.writeSync(answers, bytes, written);
    }
  }
}
