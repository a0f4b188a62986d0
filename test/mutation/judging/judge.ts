import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { ChangedFile } from '../project/changed-project';
import type { Sources } from '../project/sources';
import { type Answer, beginning, killedByNobody, type MutantJudge, type Question } from './verdict';

const WORKER = join(__dirname, 'worker.ts');

/**
 * Endless loops are counted, so they end without this limit (limited-loops.ts). The limit is for waits that nobody
 * foresaw.
 */
const MILLISECONDS_OF_PATIENCE = 120_000;
/**
 * The limit is a multiple of the time of the unchanged program. A surviving mutant takes as long as that program, and
 * must not reach the limit on a busy machine.
 */
const TIMES_OF_THE_RIGHT_ONE = 3;
const MEGABYTES_AT_MOST = 1_024;

/** Gives a worker process one mutant at a time, and starts a new worker when a mutant ends the process. */
export class JudgeInProcess implements MutantJudge {
  private worker: ChildProcess | null = null;

  constructor(
    private readonly sources: Sources,
    private readonly seed: number,
    /** The time limit. The run of the unchanged project sets it, and all judges share it. */
    private readonly limit: { milliseconds: number },
  ) {}

  async judge(changed: ChangedFile | null): Promise<Answer> {
    const worker = (this.worker ??= this.begin());
    const startedAt = Date.now();
    const answer = await answerOf(worker, { type: 'judge', changed }, this.limit.milliseconds);
    if (changed === null)
      this.limit.milliseconds = (Date.now() - startedAt) * TIMES_OF_THE_RIGHT_ONE + MILLISECONDS_OF_PATIENCE;
    if (worker.killed || worker.exitCode !== null || worker.signalCode !== null) this.worker = null;
    return answer;
  }

  end(): void {
    this.worker?.kill('SIGKILL');
    this.worker = null;
  }

  private begin(): ChildProcess {
    const worker = fork(WORKER, {
      execArgv: [...process.execArgv, `--max-old-space-size=${MEGABYTES_AT_MOST}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    worker.send(beginning(this.sources, this.seed));
    return worker;
  }
}

function answerOf(worker: ChildProcess, question: Question, atMostMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      worker.kill('SIGKILL');
      settle(killedByNobody(`not judged within ${Math.round(atMostMs / 1000)} s`));
    }, atMostMs);
    const onMessage = (answer: Answer): void => settle(answer);
    const onExit = (code: number | null, signal: string | null): void =>
      settle(killedByNobody(`its process ended with ${signal ?? code}`));
    const settle = (answer: Answer): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(answer);
    };
    worker.on('message', onMessage).on('exit', onExit);
    worker.send(question);
  });
}
