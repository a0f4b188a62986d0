import type { EntryPlace } from '../changes';
import type { QueueSnapshot } from '../model';
import type { Group } from './line';

/**
 * New places for a line in this order. The entries at the front that did not move keep their places; all others get new,
 * higher numbers. A number is never used again, so two stored orders cannot be confused.
 */
export function placed(queue: QueueSnapshot, line: readonly Group[]): readonly EntryPlace[] {
  const present = new Map(queue.entries.map((entry) => [entry.id, entry.place]));
  const isKept = (group: Group): boolean => group.entries.every((entry) => present.get(entry.id) === group.place);
  const firstMoved = line.findIndex((group, i) => !isKept(group) || (i > 0 && line[i - 1]!.place >= group.place));
  if (firstMoved < 0) return [];
  return line.slice(firstMoved).flatMap((group, i) =>
    group.entries.map((entry, index) => ({
      entryId: entry.id,
      place: queue.nextPlace + i,
      index,
      urgent: entry.urgentInLine,
    })),
  );
}
