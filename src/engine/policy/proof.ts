import type { QueueSnapshot, TestRun } from '../model';
import { assumedAhead, isOnBase, landedSince } from './base';
import { type Group, groupOf, includesHead, isDryRun, isUnready, lineOf, queuedHeadsOf } from './line';

/**
 * Whether the run of this group passed on its base and so, with optimistic merging, proves every run that it contains.
 * The runs ahead must each have a test of their own, under way or finished: a group without a test is not proven.
 */
export function isProof(queue: QueueSnapshot, group: Group): boolean {
  const { run } = group;
  if (run?.phase !== 'passed' || isUnready(group) || isDryRun(group) || !isOnBase(queue, group, run)) return false;
  const ahead = assumedAhead(queue, group);
  return (
    ahead.every((other) => other.run !== null && isDecidable(other.run)) && isClosed(queue, run, [...ahead, group])
  );
}

/**
 * Whether these groups can land together because this run passed. Every impacted target must have been tested with
 * exactly its new content; in parallel mode, a run may lack a change that shares a target only with its base. No group
 * may land before another group on which it depends.
 */
function isClosed(queue: QueueSnapshot, run: TestRun, groups: readonly Group[]): boolean {
  if (queue.mode === 'single') return true;
  const beside = landedSince(queue, run, groups.flatMap(queuedHeadsOf)) ?? [];
  if (!beside.every((change) => includesHead(run.builtOn, change))) return false;
  return groups.every((group) => assumedAhead(queue, group).every((ahead) => groups.includes(ahead)));
}

const proofs = new WeakMap<QueueSnapshot, readonly Group[]>();

/**
 * All groups that are proofs. Cached, because `proofOf` is called for each group of the line: with a hundred tests in
 * flight, a decision would spend its time here.
 */
function proofsIn(queue: QueueSnapshot): readonly Group[] {
  const known = proofs.get(queue);
  if (known) return known;
  const found = lineOf(queue).filter((group) => isProof(queue, group));
  proofs.set(queue, found);
  return found;
}

/** The last passed run behind this group that proves it; null if no run proves it. */
export function proofOf(queue: QueueSnapshot, group: Group): TestRun | null {
  if (!queue.settings.canOptimisticallyMerge || group.run === null) return null;
  const proof = proofsIn(queue).findLast((other) => other !== group && assumedAhead(queue, other).includes(group));
  return proof?.run ?? null;
}

/**
 * Whether a passed run that contains this run proves it. While the passed run exists, the result of this run's own test
 * does not matter.
 */
export function isProven(queue: QueueSnapshot, run: TestRun): boolean {
  const group = groupOf(queue, run);
  return group !== null && proofOf(queue, group) !== null;
}

export function isDecidable({ phase }: TestRun): boolean {
  return phase === 'testing' || phase === 'failed' || phase === 'passed' || phase === 'landing';
}
