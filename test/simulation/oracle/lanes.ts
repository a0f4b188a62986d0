import { type ChangeName, queuedHeadsOf, type LineRun, type Targets } from './model';
import type { OracleQueue } from './queue';

/**
 * Whether two sets of targets overlap. ALL overlaps with every set that has a target. An empty set overlaps with no
 * set.
 */
export function share(a: Targets, b: Targets): boolean {
  if (a === 'ALL') return b.length > 0;
  if (b === 'ALL') return a.length > 0;
  return a.some((target) => b.includes(target));
}

export function targetsOf(run: LineRun): Targets {
  if (run.entries.some((entry) => entry.targets === 'ALL')) return 'ALL';
  return run.entries.flatMap((entry) => entry.targets);
}

/**
 * Whether later runs are built on this run. In parallel mode, they are not while the run's entries are suspect, because
 * an unexplained failure of the run is being tested again.
 */
export function isAssumedToPass(queue: OracleQueue, run: LineRun): boolean {
  if (isDistrusted(queue, run)) return false;
  return run.phase === 'failed' ? run.failedUnderDepth > 0 : run.phase !== 'conflicted';
}

export function isDistrusted({ mode, settings, concluded }: OracleQueue, run: LineRun): boolean {
  const hasPassed = run.phase === 'passed' || run.phase === 'landing';
  if (mode === 'single' || settings.pendingFailureDepth > 0 || hasPassed) return false;
  return run.entries.some(({ redRebuiltAt }) => concluded < (redRebuiltAt ?? 0));
}

/**
 * Notes that a failed run is tested again. In parallel mode, a failure is unexplained if the whole base of the run is
 * still assumed to pass. Then the run's entries are suspect for four conclusions per slot. Returns whether the run must
 * go behind the runs that were built without it. In parallel mode, it must if the base explains the failure.
 */
export function noteRed(queue: OracleQueue, run: LineRun): boolean {
  const { mode, concluded, settings } = queue;
  const present = [...(landedSince(queue, run) ?? []), ...expectedBase(queue, run)];
  const isExplained = mode === 'single' || !run.builtOn.every((name) => present.includes(name));
  for (const entry of run.entries) entry.redRebuiltAt = concluded + (isExplained ? 0 : 4 * settings.concurrency);
  return mode === 'parallel' && isExplained;
}

/** The runs ahead of a place on which an entry with these targets depends; in single mode these are all runs ahead. */
export function dependedOn(queue: OracleQueue, targets: Targets, place: number): readonly LineRun[] {
  const before = queue.line.slice(0, place);
  return queue.mode === 'single' ? before : before.filter((run) => share(targets, targetsOf(run)));
}

export function ahead(queue: OracleQueue, run: LineRun): readonly LineRun[] {
  return dependedOn(queue, targetsOf(run), queue.line.indexOf(run));
}

export function assumedAhead(queue: OracleQueue, run: LineRun): readonly LineRun[] {
  return ahead(queue, run).filter((other) => isAssumedToPass(queue, other));
}

export function expectedBase(queue: OracleQueue, run: LineRun): readonly ChangeName[] {
  return assumedAhead(queue, run).flatMap((other) => queuedHeadsOf(other.entries));
}

/**
 * The changes that landed since the run was built, and that are in the run or share a target with one of `mine`. Null
 * if somebody else has moved the target since then.
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

/** Whether two bases are the same. In parallel mode the order of a base does not matter. */
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
 * Whether the target branch has, for every target of the run's changes, exactly the changes with which the run was
 * tested. Without optimistic merging, the branch may have further changes that landed after all the run's changes on
 * that target.
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
 * Whether the target can still become the base of a failed run. The changes that landed since the run was built must be
 * the beginning of this base. The base's other entries must still stand ahead, passed or failed. No other entry ahead
 * may be assumed to pass.
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

/**
 * Whether the run and its whole base may land, because the run passed on its base and every entry of the base has a
 * test, with any result.
 */
export function isProof(queue: OracleQueue, run: LineRun): boolean {
  const hasTest = ({ phase }: LineRun): boolean => phase !== 'queued' && phase !== 'building';
  const together = [...assumedAhead(queue, run), run];
  if (run.phase !== 'passed' || !isOnBase(queue, run) || !together.every(hasTest)) return false;
  return queue.mode === 'single' || isClosed(queue, run, together);
}

/**
 * Whether the run contains every landed change that shares a target with these runs, and whether these runs include
 * everything on which they depend.
 */
function isClosed(queue: OracleQueue, run: LineRun, together: readonly LineRun[]): boolean {
  const landed = landedSince(queue, run, together.map(targetsOf)) ?? [];
  const isComplete = landed.every((name) => run.builtOn.includes(name));
  return isComplete && together.every((one) => assumedAhead(queue, one).every((other) => together.includes(other)));
}

/** Whether a run behind passed together with this run. While that pass stands, this run's own result does not count. */
export function isProven(queue: OracleQueue, run: LineRun): boolean {
  if (!queue.settings.canOptimisticallyMerge) return false;
  return queue.line.some((other) => isProof(queue, other) && assumedAhead(queue, other).includes(run));
}
