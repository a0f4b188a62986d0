import type { Entry, QueueSnapshot } from '../model';
import { type Group, isBelieved, lineOf } from './line';

/** Both were given impacted targets that have one in common. In single mode everything has. */
export function sharesTarget(queue: QueueSnapshot, entryId: string, otherId: string): boolean {
  return queue.mode === 'single' || (queue.sharing.get(entryId)?.has(otherId) ?? false);
}

export function shareTargets(queue: QueueSnapshot, some: readonly Entry[], others: readonly Entry[]): boolean {
  return some.some((entry) => others.some((other) => sharesTarget(queue, entry.id, other.id)));
}

const dependencies = new WeakMap<Group, readonly Group[]>();

/**
 * What stands ahead of a group and is not independent of it: in the line everything, in lanes what shares a target with
 * it or with something believed in that does. In order, believed in or not. The group is one of `lineOf(queue)`.
 */
export function dependenciesOf(queue: QueueSnapshot, group: Group): readonly Group[] {
  const known = dependencies.get(group);
  if (known) return known;
  const line = lineOf(queue);
  const ahead = line.slice(0, line.indexOf(group));
  const found = queue.mode === 'single' ? ahead : reachedFrom(queue, group, ahead);
  dependencies.set(group, found);
  return found;
}

function reachedFrom(queue: QueueSnapshot, group: Group, ahead: readonly Group[]): readonly Group[] {
  const reached: Entry[] = [...group.entries];
  return ahead
    .toReversed()
    .filter((other) => {
      if (!shareTargets(queue, reached, other.entries)) return false;
      if (isBelieved(other)) reached.push(...other.entries);
      return true;
    })
    .toReversed();
}
