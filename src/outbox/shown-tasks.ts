import type { PullRequestTask } from '../engine/pull-request-tasks';
import type { Task } from './task';
import { Prisma } from '../generated/prisma/client';

const TYPES: Readonly<Record<PullRequestTask['type'], true>> = {
  updatePullRequestView: true,
  answerComment: true,
  answerTrigger: true,
};

/** Nothing waits for it but people. */
export function isShown(type: Task['type']): boolean {
  return type in TYPES;
}

/** The types of tasks that nothing waits for but people, as literals: indexes over the others have these words. */
export const SHOWN_TASKS = Prisma.raw(
  `(${Object.keys(TYPES)
    .map((type) => `'${type}'`)
    .join(', ')})`,
);
