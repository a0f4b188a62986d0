import type { Entry, QueueSnapshot } from '../model';
import { type Group, isDryRun, lineOf } from './line';
import { needPairs } from './needs';

/** Both were given impacted targets that have one in common, or one needs the other. In single mode everything has. */
export function sharesTarget(queue: QueueSnapshot, entryId: string, otherId: string): boolean {
  if (queue.mode === 'single') return true;
  return (queue.sharing.get(entryId)?.has(otherId) ?? false) || (needPairs(queue).get(entryId)?.has(otherId) ?? false);
}

export function shareTargets(queue: QueueSnapshot, some: readonly Entry[], others: readonly Entry[]): boolean {
  return some.some((entry) => others.some((other) => sharesTarget(queue, entry.id, other.id)));
}

const NOBODY: ReadonlySet<string> = new Set();

/** Only for lanes: the ids of all that share a target with one of these, and of these themselves where they have any. */
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
 * What stands ahead of a group and is not independent of it: in the line everything, in lanes what shares a target with
 * it, directly. In order, believed in or not. The group is one of `lineOf(queue)`.
 */
export function dependenciesOf(queue: QueueSnapshot, group: Group): readonly Group[] {
  const known = dependencies.get(group);
  if (known) return known;
  const line = lineOf(queue);
  const inFront = line.slice(0, line.indexOf(group));
  // What is being landed stands in front, but a dry run is not tested on what came behind it.
  const ahead = isDryRun(group) ? inFront.filter(({ place }) => place < group.place) : inFront;
  const found =
    queue.mode === 'single' ? ahead : ahead.filter((other) => shareTargets(queue, group.entries, other.entries));
  dependencies.set(group, found);
  return found;
}
