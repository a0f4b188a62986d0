import type { Entry, LandedChange, QueuedHead, QueueSnapshot, TestRun } from '../model';
import { isAssumedToPass } from './assumed-to-pass';
import { dependenciesOf, sharesTarget, shareTargets } from './lanes';
import { queuedHeadsOf, type Group, includesHead, lineOf, sameHeads, testsDryRun } from './line';

export function assumedAhead(queue: QueueSnapshot, group: Group): readonly Group[] {
  return dependenciesOf(queue, group).filter((other) => isAssumedToPass(queue, other));
}

/** The groups on which a run of `entries` would be built if these entries joined the line now, behind all others. */
export function assumedBefore(queue: QueueSnapshot, entries: readonly Entry[]): readonly Group[] {
  return lineOf(queue).filter((group) => isAssumedToPass(queue, group) && shareTargets(queue, entries, group.entries));
}

/** The changes on which a run of the group must be built, beyond the target. */
export function expectedBase(queue: QueueSnapshot, group: Group): readonly QueuedHead[] {
  return assumedAhead(queue, group).flatMap(queuedHeadsOf);
}

/**
 * The changes that the queue landed since the run was built; null when somebody else moved the target meanwhile. In
 * parallel mode, only changes that matter to the run: changes in its base, and changes that share an impacted target
 * with one of `tested`.
 */
export function landedSince(
  queue: QueueSnapshot,
  run: TestRun,
  tested: readonly QueuedHead[] = run.own,
): readonly LandedChange[] | null {
  if (run.base.epoch !== queue.epoch) return null;
  const since = queue.landed.filter((change) => change.seq > run.base.landedSeq).sort((a, b) => a.seq - b.seq);
  // Entries behind a dry run are not built on it, so they may land before it. For the dry run, only the changes in its
  // base count.
  if (testsDryRun(queue, run)) return since.filter((change) => includesHead(run.builtOn, change));
  if (queue.mode === 'single') return since;
  return since.filter(
    (change) =>
      includesHead(run.builtOn, change) || tested.some((head) => sharesTarget(queue, head.entryId, change.entryId)),
  );
}

/**
 * The central question: are the changes in the run's base exactly the changes that have landed since, and the groups
 * ahead that are assumed to pass?
 */
export function isOnBase(queue: QueueSnapshot, group: Group, run: TestRun): boolean {
  const landed = landedSince(queue, run);
  return landed !== null && isSameBase(queue, [...landed, ...expectedBase(queue, group)], run.builtOn);
}

/**
 * Whether the base of the run is the present target: then the run may land if it passed, and is itself the cause if it
 * failed.
 */
export function isOnTarget(queue: QueueSnapshot, run: TestRun): boolean {
  const landed = landedSince(queue, run);
  return landed !== null && isSameBase(queue, landed, run.builtOn);
}

/**
 * Whether a failed run on the target is itself the cause. In single mode it always is. In parallel mode, a landed
 * change that is not in the run may share an impacted target with the run's base: the run may fail because it lacks
 * that change. It cannot, if the change landed after all entries of the base with which it shares a target, because
 * that target passed its tests without the change.
 */
export function isFullOnTarget(queue: QueueSnapshot, run: TestRun): boolean {
  const landed = landedSince(queue, run, [...run.builtOn, ...run.own]);
  if (landed === null || !run.builtOn.every((head) => includesHead(landed, head))) return false;
  if (queue.mode === 'single') return isSameBase(queue, landed, run.builtOn);
  const lacked = landed.filter((change) => !includesHead(run.builtOn, change));
  if (queue.settings.canOptimisticallyMerge) return lacked.length === 0;
  const held = landed.filter((change) => includesHead(run.builtOn, change));
  return lacked.every((change) =>
    held
      .filter((other) => sharesTarget(queue, other.entryId, change.entryId))
      .every((other) => isInEarlierLanding(other, change)),
  );
}

/**
 * Whether `change` landed before `other`, and in an earlier landing. The order within a landing says nothing, because
 * its changes never passed separately.
 */
function isInEarlierLanding(change: LandedChange, other: LandedChange): boolean {
  return change.seq < other.seq && change.landing !== undefined && change.landing !== other.landing;
}

/**
 * Whether the two lists are the same base. In parallel mode the order does not matter, and neither does a change in
 * between that shares no target with the run.
 */
function isSameBase(queue: QueueSnapshot, base: readonly QueuedHead[], builtOn: readonly QueuedHead[]): boolean {
  if (queue.mode === 'single') return sameHeads(base, builtOn);
  return base.length === builtOn.length && base.every((change) => includesHead(builtOn, change));
}

/**
 * Whether the base of a failed run can still come about. The changes that landed since must be part of the base. The
 * other entries of the base must still stand ahead, failed or not, and every entry ahead that is assumed to pass must
 * be in the base. In single mode the order must be the same, too.
 */
export function baseCanComeAbout(queue: QueueSnapshot, group: Group, run: TestRun): boolean {
  const landed = landedSince(queue, run);
  if (landed === null || !beginsBase(queue, landed, run.builtOn)) return false;
  const rest = run.builtOn.filter((change) => !includesHead(landed, change));
  const ahead = dependenciesOf(queue, group).flatMap(queuedHeadsOf);
  const standing = ahead.filter((change) => includesHead(rest, change));
  if (!isSameBase(queue, standing, rest)) return false;
  return expectedBase(queue, group).every((change) => includesHead(rest, change));
}

function beginsBase(queue: QueueSnapshot, landed: readonly QueuedHead[], builtOn: readonly QueuedHead[]): boolean {
  if (queue.mode === 'single') return sameHeads(landed, builtOn.slice(0, landed.length));
  return landed.every((change) => includesHead(builtOn, change));
}
