import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { CliError } from '../cli-error';

/** How the tests ended. */
export interface TestsEnd {
  readonly exit: number;
  /** The tests were killed, so some may not have run. */
  readonly wasKilled: boolean;
}

const COMMAND_NOT_FOUND = 127;
const SIGNAL_EXITS = 128;
const MOST_SIGNALS = 64;

/** Runs the tests in this terminal and hands signals on to them. Their reports count even after a signal. */
export function runTests([command = '', ...args]: readonly string[]): Promise<TestsEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, pass);
    const done = (): void => signals.forEach((signal) => process.off(signal, pass));
    child.once('error', (error) => {
      done();
      reject(
        new CliError(`The test command cannot be run: ${error.message}.`, {
          exit: COMMAND_NOT_FOUND,
          code: 'TESTS_NOT_RUN',
          next: 'Check the command after the --, such as: -- npm test',
        }),
      );
    });
    child.once('exit', (code, signal) => {
      done();
      resolve(signal === null ? endOf(code ?? 1) : { exit: SIGNAL_EXITS + constants.signals[signal], wasKilled: true });
    });
  });
}

/** Shells exit with 128 plus the number of the signal that killed a command. */
export function endOf(exit: number): TestsEnd {
  return { exit, wasKilled: exit > SIGNAL_EXITS && exit <= SIGNAL_EXITS + MOST_SIGNALS };
}
