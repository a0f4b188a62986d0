import { assertNever } from '../../engine/vocabulary';
import type { TaskSubject, TriedTask } from '../tracing/traces';
import type { LeasedTask } from './outbox.store';
import type { Task } from './task';

type Try = Pick<TriedTask, 'startedAt' | 'endedAt' | 'problem'>;

/** An attempt of a task, as traces show it. */
export function triedTask(task: LeasedTask, tried: Try): TriedTask {
  const { queueId, type, key, attempts, command, repository } = task;
  return { ...tried, queueId, type, key, about: subjectOf(command), host: repository.host, attempt: attempts };
}

function subjectOf(task: Task): TaskSubject {
  switch (task.type) {
    case 'startTestRun':
    case 'stopTestRun':
      return { run: task.run };
    case 'landRun':
      return { landing: task.landing, entryIds: task.changes.map(({ entryId }) => entryId) };
    case 'updatePullRequestView':
    case 'answerComment':
    case 'answerTrigger':
      return { number: task.number };
    case 'computeTargets':
      return {};
    default:
      return assertNever(task);
  }
}

/** The words for traces that say why an attempt failed. */
export function wordsOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
