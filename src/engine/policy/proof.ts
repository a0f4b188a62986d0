import type { QueueSnapshot, TestRun } from '../model';
import { believedAhead, isOnBase, landedSince } from './base';
import { type Group, groupOf, includesHead, isDryRun, isUnready, lineOf, queuedHeadsOf } from './line';

/**
 * With optimistic merging, a run that passed on its base proves every run that it contains: what is ahead of it and is
 * being tested, or failed. What has no test of its own yet is not proven: somebody asked for one.
 */
export function isProof(queue: QueueSnapshot, group: Group): boolean {
  const { run } = group;
  if (run?.phase !== 'passed' || isUnready(group) || isDryRun(group) || !isOnBase(queue, group, run)) return false;
  const ahead = believedAhead(queue, group);
  return (
    ahead.every((other) => other.run !== null && isDecidable(other.run)) && isClosed(queue, run, [...ahead, group])
  );
}

/**
 * Whether these can land together by this run. Every target that they touch was tested with exactly what it will hold: that
 * matters in lanes, where a run lacks what only those share a target with that it is built on. And none overtakes another.
 */
function isClosed(queue: QueueSnapshot, run: TestRun, groups: readonly Group[]): boolean {
  if (queue.mode === 'single') return true;
  const beside = landedSince(queue, run, groups.flatMap(queuedHeadsOf)) ?? [];
  if (!beside.every((change) => includesHead(run.builtOn, change))) return false;
  return groups.every((group) => believedAhead(queue, group).every((ahead) => groups.includes(ahead)));
}

const proofs = new WeakMap<QueueSnapshot, readonly Group[]>();

/** Asked for each that is ahead of it: with a hundred tests in flight that is where a decision would spend its time. */
function proofsIn(queue: QueueSnapshot): readonly Group[] {
  const known = proofs.get(queue);
  if (known) return known;
  const found = lineOf(queue).filter((group) => isProof(queue, group));
  proofs.set(queue, found);
  return found;
}

/** The passed run behind it that proves this one, the furthest there is; null when none does. */
export function proofOf(queue: QueueSnapshot, group: Group): TestRun | null {
  if (!queue.settings.canOptimisticallyMerge || group.run === null) return null;
  const proof = proofsIn(queue).findLast((other) => other !== group && believedAhead(queue, other).includes(group));
  return proof?.run ?? null;
}

/** A run that contains it passed, so its own test result does not matter while that run stands. */
export function isProven(queue: QueueSnapshot, run: TestRun): boolean {
  const group = groupOf(queue, run);
  return group !== null && proofOf(queue, group) !== null;
}

export function isDecidable({ phase }: TestRun): boolean {
  return phase === 'testing' || phase === 'failed' || phase === 'passed' || phase === 'landing';
}
