import type { QueueSnapshot, TestRun } from '../model';
import { believedAhead, isOnBase } from './base';
import { type Group, groupOf, isUnready, lineOf } from './line';

/**
 * With optimistic merging, a run that passed on its base proves every run that it contains: what is ahead of it and is
 * being tested, or failed. What has no test of its own yet is not proven: somebody asked for one.
 */
export function isProof(queue: QueueSnapshot, group: Group): boolean {
  const { run } = group;
  if (run?.phase !== 'passed' || isUnready(group) || !isOnBase(queue, group, run)) return false;
  return believedAhead(queue, group).every((ahead) => ahead.run !== null && isDecidable(ahead.run));
}

/** The passed run behind it that proves this one, the furthest there is; null when none does. */
export function proofOf(queue: QueueSnapshot, group: Group): TestRun | null {
  if (!mergesOptimistically(queue) || group.run === null) return null;
  const proof = lineOf(queue).findLast(
    (other) => other !== group && isProof(queue, other) && believedAhead(queue, other).includes(group),
  );
  return proof?.run ?? null;
}

/** A run that contains it passed, so its own test result does not matter while that run stands. */
export function isProven(queue: QueueSnapshot, run: TestRun): boolean {
  const group = groupOf(queue, run);
  return group !== null && proofOf(queue, group) !== null;
}

/** False where the host cannot move the target over several runs at once, whatever the setting says. */
export function mergesOptimistically(queue: QueueSnapshot): boolean {
  return queue.settings.canOptimisticallyMerge && queue.landsWholeRuns;
}

export function isDecidable({ phase }: TestRun): boolean {
  return phase === 'testing' || phase === 'failed' || phase === 'passed' || phase === 'landing';
}
