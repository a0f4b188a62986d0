import type { Entry, LandedChange, QueuedHead, QueueSnapshot, TestRun } from '../model';
import { isBelieved } from './believed';
import { dependenciesOf, sharesTarget, shareTargets } from './lanes';
import { queuedHeadsOf, type Group, includesHead, lineOf, sameHeads, testsDryRun } from './line';

export function believedAhead(queue: QueueSnapshot, group: Group): readonly Group[] {
  return dependenciesOf(queue, group).filter((other) => isBelieved(queue, other));
}

/** The same, for entries that would stand behind everybody. */
export function believedBefore(queue: QueueSnapshot, entries: readonly Entry[]): readonly Group[] {
  return lineOf(queue).filter((group) => isBelieved(queue, group) && shareTargets(queue, entries, group.entries));
}

/** What a run at this place has to be built on, beyond the target. */
export function expectedBase(queue: QueueSnapshot, group: Group): readonly QueuedHead[] {
  return believedAhead(queue, group).flatMap(queuedHeadsOf);
}

/**
 * What the queue landed since the run was built; null when somebody else moved the target meanwhile. In lanes only what
 * the run holds, and what shares a target with one of `tested`: what of it is to be held against the target.
 */
export function landedSince(
  queue: QueueSnapshot,
  run: TestRun,
  tested: readonly QueuedHead[] = run.own,
): readonly LandedChange[] | null {
  if (run.base.epoch !== queue.epoch) return null;
  const since = queue.landed.filter((change) => change.seq > run.base.landedSeq).sort((a, b) => a.seq - b.seq);
  // What is behind a dry run goes on without it: such a landing changes nothing of what would be ahead of it.
  if (testsDryRun(queue, run)) return since.filter((change) => includesHead(run.builtOn, change));
  if (queue.mode === 'single') return since;
  return since.filter(
    (change) =>
      includesHead(run.builtOn, change) || tested.some((head) => sharesTarget(queue, head.entryId, change.entryId)),
  );
}

/** The central question: will what the run was built on still be exactly what is ahead of it? */
export function isOnBase(queue: QueueSnapshot, group: Group, run: TestRun): boolean {
  const landed = landedSince(queue, run);
  return landed !== null && isSameBase(queue, [...landed, ...expectedBase(queue, group)], run.builtOn);
}

/** Its base is the present target: if it passed it may land, if it failed it is itself the cause. */
export function isOnTarget(queue: QueueSnapshot, run: TestRun): boolean {
  const landed = landedSince(queue, run);
  return landed !== null && isSameBase(queue, landed, run.builtOn);
}

/**
 * Whether a red run on the target is red by its own. In the line that is so. In lanes something may have landed that shares a target
 * only with what the run was built on: the run may be red because it lacked that. Not so if that came after all of them that it
 * shares a target with: without it, that target was green.
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

/** What lands together was never green apart: its order says nothing. */
function isInEarlierLanding(change: LandedChange, other: LandedChange): boolean {
  return change.seq < other.seq && change.landing !== undefined && change.landing !== other.landing;
}

/** In lanes, what a run is built on may have landed in another order: what came between shares nothing with it. */
function isSameBase(queue: QueueSnapshot, base: readonly QueuedHead[], builtOn: readonly QueuedHead[]): boolean {
  if (queue.mode === 'single') return sameHeads(base, builtOn);
  return base.length === builtOn.length && base.every((change) => includesHead(builtOn, change));
}

/**
 * Whether the base of a red run can still come about: what landed since is part of it, the rest of it still stands
 * ahead (red or not), and nothing believed in stands ahead that is not in it. In the line also in that order.
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
