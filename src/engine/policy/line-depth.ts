import { failureChance, flakeChance } from '../flow-facts/chances';
import type { QueueSnapshot } from '../model';
import { type Group, includesHead, isBuiltOn, lineOf, queuedHeadsOf } from './line';

/**
 * `lineDepth: by_chance` uses a slot only if the base passes with at least this chance. The value was chosen by
 * measurement: see ADR 21.
 */
export const WORTH_A_TEST = 0.3;

/**
 * The chance that all changes of a base are good, computed from how often pull requests fail in this queue and from the
 * results of other runs. Entries of a passed run are good, and a failed run has a bad entry.
 */
export function chanceOfBase(queue: QueueSnapshot, base: readonly Group[]): number {
  const undecided = base.filter((group) => !isGood(queue, group));
  const shown = redTrees(queue).map((tree) => shareLeft(queue, undecided, tree));
  return chanceOfAll(queue, undecided) * Math.min(1, ...shown);
}

export function isWorthATest(queue: QueueSnapshot, base: readonly Group[]): boolean {
  return queue.settings.lineDepth !== 'by_chance' || chanceOfBase(queue, base) >= WORTH_A_TEST;
}

/** Whether a failed run makes it more likely that an entry of this base is bad. */
export function isSuspected(queue: QueueSnapshot, base: readonly Group[]): boolean {
  return chanceOfBase(queue, base) < chanceOfAll(queue, base);
}

/** Whether the run of the group passed, or a later run that contains the group passed. */
function isGood(queue: QueueSnapshot, group: Group): boolean {
  if (isPassed(group)) return true;
  const heads = queuedHeadsOf(group);
  return lineOf(queue).some((other) => other.run !== null && isPassed(other) && isBuiltOn(other.run, heads));
}

function isPassed({ run }: Group): boolean {
  return run?.phase === 'passed' || run?.phase === 'landing';
}

const trees = new WeakMap<QueueSnapshot, readonly (readonly Group[])[]>();

/**
 * For each failed run, its groups that are not known to be good. Failed runs whose base cannot come about have been
 * rebuilt already.
 */
function redTrees(queue: QueueSnapshot): readonly (readonly Group[])[] {
  const known = trees.get(queue);
  if (known) return known;
  const line = lineOf(queue);
  const found = line.flatMap((group) => {
    const { run } = group;
    // A failure with a failure depth may be a flake until the runs behind it have finished, so it is left out.
    if (run?.phase !== 'failed' || run.failure === null || run.failure.depth > 0) return [];
    const heads = [...run.builtOn, ...run.own];
    const within = line.filter((other) => queuedHeadsOf(other).every((head) => includesHead(heads, head)));
    return [within.filter((other) => !isGood(queue, other))];
  });
  trees.set(queue, found);
  return found;
}

/**
 * The factor, between 0 and 1, by which the failure of `tree` lowers the chance that all `undecided` groups are good.
 */
function shareLeft(queue: QueueSnapshot, undecided: readonly Group[], tree: readonly Group[]): number {
  const inside = chanceOfAll(
    queue,
    undecided.filter((group) => tree.includes(group)),
  );
  const green = chanceOfAll(queue, tree) * (1 - flakeChance(queue));
  return (inside - green) / (inside * (1 - green));
}

/** The chance that all these groups are good, computed only from how often pull requests fail in this queue. */
function chanceOfAll(queue: QueueSnapshot, groups: readonly Group[]): number {
  const size = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return (1 - failureChance(queue)) ** size;
}
