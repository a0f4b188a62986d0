import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/**
 * Distributes the jobs over worker processes of a script, one process per core. The answers are in the order of the
 * jobs.
 */
export async function inWorkers<Job, Answer>(
  script: string,
  jobs: readonly Job[],
  onAnswer: (job: Job, answer: Answer) => void = () => undefined,
): Promise<readonly Answer[]> {
  const answers = new Array<Answer>(jobs.length);
  let next = 0;
  const work = async (worker: ChildProcess): Promise<void> => {
    const died = once(worker, 'exit').then(([code]) => Promise.reject(new Error(`a worker ended with ${code}`)));
    died.catch(() => undefined);
    while (next < jobs.length) {
      const index = next++;
      worker.send({ job: jobs[index] });
      const [message] = (await Promise.race([once(worker, 'message'), died])) as [{ readonly answer: Answer }];
      answers[index] = message.answer;
      onAnswer(jobs[index]!, message.answer);
    }
  };
  const workers = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, () => fork(script));
  try {
    await Promise.all(workers.map(work));
  } finally {
    for (const worker of workers) worker.kill();
  }
  return answers;
}

/** Makes a script a worker of `inWorkers`: the script calls this function once. */
export function answerJobs<Job, Answer>(answer: (job: Job) => Answer): void {
  process.on('message', ({ job }: { readonly job: Job }) => process.send?.({ answer: answer(job) }));
}
