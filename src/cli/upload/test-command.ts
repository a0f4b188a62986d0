import { type ChildProcess, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { CliError } from '../cli-error';
import { OutputWatch } from './output-watch';

/** The end of the tests. */
export interface TestsEnd {
  readonly exit: number;
  /** True: the tests were killed, so some tests may not have run. */
  readonly wasKilled: boolean;
  /** Undefined: the output was not watched. */
  readonly output?: OutputWatch;
}

const COMMAND_NOT_FOUND = 127;
const SIGNAL_EXITS = 128;
const MOST_SIGNALS = 64;
/**
 * The output is read for at most this time after the tests have ended, because processes that outlive the tests may
 * hold it open.
 */
const OUTPUT_ENDS_WITHIN_MS = 2_000;

/**
 * Runs the tests and passes signals to them. The reports of the tests count even after a signal. With `watched`, this
 * process reads the output of the tests and passes it on unchanged, so the tests have no terminal. Otherwise they use
 * this process's terminal.
 */
export function runTests([command = '', ...args]: readonly string[], output: 'watched' | 'own'): Promise<TestsEnd> {
  return new Promise((resolve, reject) => {
    const stream = output === 'watched' ? 'pipe' : 'inherit';
    const child = spawn(command, args, { stdio: ['inherit', stream, stream] });
    const watch = output === 'watched' ? passedOn(child) : undefined;
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, pass);
    const done = (): void => signals.forEach((signal) => process.off(signal, pass));
    child.once('error', (error) => {
      done();
      reject(notRun(error));
    });
    child.once('exit', (code, signal) => {
      const end =
        signal === null ? testsEndOf(code ?? 1) : { exit: SIGNAL_EXITS + constants.signals[signal], wasKilled: true };
      const finish = (): void => {
        clearTimeout(timer);
        done();
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(watch === undefined ? end : { ...end, output: watch });
      };
      const timer = setTimeout(finish, OUTPUT_ENDS_WITHIN_MS);
      child.once('close', finish);
    });
  });
}

function passedOn({ stdout, stderr }: ChildProcess): OutputWatch {
  const watch = new OutputWatch();
  if (stdout) passOn(stdout, process.stdout, watch);
  if (stderr) passOn(stderr, process.stderr, watch);
  return watch;
}

function passOn(from: Readable, to: Writable, watch: OutputWatch): void {
  const lines = watch.stream();
  from.on('data', (chunk: Buffer) => {
    lines.add(chunk);
    if (to.write(chunk)) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
  from.once('close', () => lines.end());
}

function notRun({ message }: Error): CliError {
  return new CliError(`The test command cannot be run: ${message}.`, {
    exit: COMMAND_NOT_FOUND,
    code: 'TESTS_NOT_RUN',
    next: 'Check the command after the --, such as: -- npm test',
  });
}

/** Shells exit with 128 plus the number of the signal that killed a command. */
export function testsEndOf(exit: number): TestsEnd {
  return { exit, wasKilled: exit > SIGNAL_EXITS && exit <= SIGNAL_EXITS + MOST_SIGNALS };
}

/** Reads the output of tests that ran before, from a file. */
export async function readOutput(path: string): Promise<OutputWatch> {
  const watch = new OutputWatch();
  const lines = watch.stream();
  try {
    for await (const chunk of createReadStream(path)) lines.add(chunk as Buffer);
  } catch (error) {
    throw new CliError(`The output of the tests cannot be read: ${(error as Error).message}.`, {
      exit: 2,
      next: 'Name the file with the output by --test-output.',
    });
  }
  lines.end();
  return watch;
}
