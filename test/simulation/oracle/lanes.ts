import { type ChangeName, queuedHeadsOf, type LineRun, type Targets } from './model';
import type { OracleQueue } from './queue';

/** ALL shares with everything that has a target, and nothing shares with an entry that has none. */
export function share(a: Targets, b: Targets): boolean {
  if (a === 'ALL') return b.length > 0;
  if (b === 'ALL') return a.length > 0;
  return a.some((target) => b.includes(target));
}

export function targetsOf(run: LineRun): Targets {
  if (run.entries.some((entry) => entry.targets === 'ALL')) return 'ALL';
  return run.entries.flatMap((entry) => entry.targets);
}

/** Whether those behind are built on it. In lanes, not on what was red for no known reason and is tested again. */
export function isBelieved(queue: OracleQueue, run: LineRun): boolean {
  if (isDoubted(queue, run)) return false;
  return run.phase === 'failed' ? run.failedUnderDepth > 0 : run.phase !== 'conflicted';
}

export function isDoubted({ mode, settings, concluded }: OracleQueue, run: LineRun): boolean {
  const hasPassed = run.phase === 'passed' || run.phase === 'landing';
  if (mode === 'single' || settings.pendingFailureDepth > 0 || hasPassed) return false;
  return run.entries.some(({ redRebuiltAt }) => concluded < (redRebuiltAt ?? 0));
}

/**
 * Its red run is tested again: it is doubted for four conclusions per slot, if all that it was built on is believed in. Returns whether
 * it goes behind those that are tested without it, because it is not.
 */
export function noteRed(queue: OracleQueue, run: LineRun): boolean {
  const { mode, concluded, settings } = queue;
  const present = [...(landedSince(queue, run) ?? []), ...expectedBase(queue, run)];
  const isExplained = mode === 'single' || !run.builtOn.every((name) => present.includes(name));
  for (const entry of run.entries) entry.redRebuiltAt = concluded + (isExplained ? 0 : 4 * settings.concurrency);
  return mode === 'parallel' && isExplained;
}

/** What stands in the line ahead of a place and is depended on from there: in single mode, all of it. */
export function dependedOn(queue: OracleQueue, targets: Targets, place: number): readonly LineRun[] {
  const before = queue.line.slice(0, place);
  return queue.mode === 'single' ? before : before.filter((run) => share(targets, targetsOf(run)));
}

export function ahead(queue: OracleQueue, run: LineRun): readonly LineRun[] {
  return dependedOn(queue, targetsOf(run), queue.line.indexOf(run));
}

export function believedAhead(queue: OracleQueue, run: LineRun): readonly LineRun[] {
  return ahead(queue, run).filter((other) => isBelieved(queue, other));
}

export function expectedBase(queue: OracleQueue, run: LineRun): readonly ChangeName[] {
  return believedAhead(queue, run).flatMap((other) => queuedHeadsOf(other.entries));
}

/**
 * What landed since it was built, and is in it or shares a target with one of these; null when somebody else moved the target
 * since.
 */
function landedSince(
  queue: OracleQueue,
  run: LineRun,
  mine: readonly Targets[] = [targetsOf(run)],
): readonly ChangeName[] | null {
  if (run.base.epoch !== queue.epoch) return null;
  const landed = queue.target.slice(run.base.targetLength);
  if (queue.mode === 'single') return landed;
  const matters = (name: ChangeName): boolean =>
    run.builtOn.includes(name) || mine.some((targets) => share(queue.landedTargets.get(name) ?? [], targets));
  return landed.filter(matters);
}

export function isBuiltOn(run: LineRun, other: LineRun): boolean {
  const changes = queuedHeadsOf(other.entries);
  return changes.length > 0 && changes.every((name) => run.builtOn.includes(name));
}

/** Lanes have no order among each other, so what a run was built on has none there. */
function isSame(queue: OracleQueue, a: readonly ChangeName[], b: readonly ChangeName[]): boolean {
  if (a.length !== b.length) return false;
  return queue.mode === 'single' ? a.every((name, i) => name === b[i]) : a.every((name) => b.includes(name));
}

export function isOnBase(queue: OracleQueue, run: LineRun): boolean {
  const landed = landedSince(queue, run);
  return landed !== null && isSame(queue, [...landed, ...expectedBase(queue, run)], run.builtOn);
}

export function isOnTarget(queue: OracleQueue, run: LineRun): boolean {
  const landed = landedSince(queue, run);
  return landed !== null && isSame(queue, landed, run.builtOn);
}

/**
 * The target holds what the run was tested with, for every target of all that it added; or what it lacks there came later than all
 * that it added, one landing at a time.
 */
export function isFull(queue: OracleQueue, run: LineRun): boolean {
  const targets = (name: ChangeName): Targets => queue.landedTargets.get(name) ?? [];
  const landedIn = (name: ChangeName): number => queue.landedIn.get(name) ?? 0;
  const landed = landedSince(queue, run, [targetsOf(run), ...run.builtOn.map(targets)]);
  if (landed === null || isSame(queue, landed, run.builtOn)) return landed !== null;
  if (queue.mode === 'single' || queue.settings.canOptimisticallyMerge) return false;
  const later = landed.filter((name) => !run.builtOn.includes(name));
  return run.builtOn.every((name) =>
    later.every((other) => !share(targets(name), targets(other)) || landedIn(other) > landedIn(name)),
  );
}

/**
 * Whether what a red run was built on can still become the target: what landed since begins it, the rest still stands
 * ahead, red or not, and nothing believed in stands ahead that is not in it.
 */
export function canBaseComeAbout(queue: OracleQueue, run: LineRun): boolean {
  const landed = landedSince(queue, run);
  if (landed === null || !landed.every((name) => run.builtOn.includes(name))) return false;
  const rest = run.builtOn.filter((name) => !landed.includes(name));
  if (queue.mode === 'single' && !isSame(queue, [...landed, ...rest], run.builtOn)) return false;
  const standing = ahead(queue, run).flatMap((other) => queuedHeadsOf(other.entries));
  const kept = standing.filter((name) => rest.includes(name));
  return isSame(queue, kept, rest) && expectedBase(queue, run).every((name) => rest.includes(name));
}

/** Passed on its base, and all it is built on in the line has a test, whatever that says: with this one it may land. */
export function isProof(queue: OracleQueue, run: LineRun): boolean {
  const hasTest = ({ phase }: LineRun): boolean => phase !== 'queued' && phase !== 'building';
  const together = [...believedAhead(queue, run), run];
  if (run.phase !== 'passed' || !isOnBase(queue, run) || !together.every(hasTest)) return false;
  return queue.mode === 'single' || isClosed(queue, run, together);
}

/** What they touch was tested with all that it will hold, and they leave nobody behind whom one of them is to follow. */
function isClosed(queue: OracleQueue, run: LineRun, together: readonly LineRun[]): boolean {
  const landed = landedSince(queue, run, together.map(targetsOf)) ?? [];
  const isComplete = landed.every((name) => run.builtOn.includes(name));
  return isComplete && together.every((one) => believedAhead(queue, one).every((other) => together.includes(other)));
}

/** A run behind passed with it: its own result does not count as long as that one stands. */
export function isProven(queue: OracleQueue, run: LineRun): boolean {
  if (!queue.settings.canOptimisticallyMerge) return false;
  return queue.line.some((other) => isProof(queue, other) && believedAhead(queue, other).includes(run));
}
