import type { Entry, QueueSnapshot } from '../model';
import { type Group, isDryRun, lineOf } from './line';
import { needPairs } from './needs';

/**
 * Whether the two entries have an impacted target in common, or one depends on the other. Always true in single mode.
 */
export function sharesTarget(queue: QueueSnapshot, entryId: string, otherId: string): boolean {
  if (queue.mode === 'single') return true;
  return (queue.sharing.get(entryId)?.has(otherId) ?? false) || (needPairs(queue).get(entryId)?.has(otherId) ?? false);
}

export function shareTargets(queue: QueueSnapshot, some: readonly Entry[], others: readonly Entry[]): boolean {
  return some.some((entry) => others.some((other) => sharesTarget(queue, entry.id, other.id)));
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Parallel mode only: the ids of the entries that share a target with one of `entries`. An entry with targets shares
 * them with itself.
 */
export function sharersOf(queue: QueueSnapshot, entries: readonly Entry[]): ReadonlySet<string> {
  const needing = needPairs(queue);
  const [first, ...more] = entries
    .flatMap(({ id }) => [queue.sharing.get(id) ?? NOBODY, needing.get(id) ?? NOBODY])
    .filter((ids) => ids.size > 0);
  if (first === undefined || more.length === 0) return first ?? NOBODY;
  return new Set([first, ...more].flatMap((ids) => [...ids]));
}

const dependencies = new WeakMap<Group, readonly Group[]>();

/**
 * The groups ahead on which a group depends, in order, whether they are assumed to pass or not. In single mode these
 * are all groups ahead, in parallel mode the groups that share a target with it directly. `group` must be one of
 * `lineOf(queue)`.
 */
export function dependenciesOf(queue: QueueSnapshot, group: Group): readonly Group[] {
  const known = dependencies.get(group);
  if (known) return known;
  const line = lineOf(queue);
  const inFront = line.slice(0, line.indexOf(group));
  // Groups that are being landed stand in front. A dry run is not tested on the landing groups whose place was later
  // than its own.
  const ahead = isDryRun(group) ? inFront.filter(({ place }) => place < group.place) : inFront;
  const found =
    queue.mode === 'single' ? ahead : ahead.filter((other) => shareTargets(queue, group.entries, other.entries));
  dependencies.set(group, found);
  return found;
}
