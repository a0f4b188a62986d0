import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { ChangedFile } from '../project/changed-project';
import type { Sources } from '../project/sources';
import { type Answer, beginning, killedByNobody, type MutantJudge, type Question } from './verdict';

const WORKER = join(__dirname, 'worker.ts');

/** Loops are counted and end by themselves (limited-loops.ts); this is for what no count foresees. */
const MILLISECONDS_AT_MOST = 120_000;
const MEGABYTES_AT_MOST = 1_024;

/** Asks one worker process at a time about one mutant at a time, and takes a new one when a mutant was its end. */
export class JudgeInProcess implements MutantJudge {
  private worker: ChildProcess | null = null;

  constructor(
    private readonly sources: Sources,
    private readonly seed: number,
  ) {}

  async judge(changed: ChangedFile | null): Promise<Answer> {
    const worker = (this.worker ??= this.begin());
    const answer = await answerOf(worker, { type: 'judge', changed });
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

function answerOf(worker: ChildProcess, question: Question): Promise<Answer> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      worker.kill('SIGKILL');
      settle(killedByNobody(`not judged within ${MILLISECONDS_AT_MOST / 1000} s`));
    }, MILLISECONDS_AT_MOST);
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
