import type { EntryPlace } from '../changes';
import type { QueueSnapshot, TestRun } from '../model';
import { dependenciesOf } from './lanes';
import { type Group, isBuiltOn, isDryRun, lineOf } from './line';
import { changesOnly, NOTHING, type StepResult } from './step-result';

/**
 * New places for a line in this order. The groups at the front that did not move keep their places; all later groups
 * get new, higher places. A place is never used again, so two stored orders cannot be confused.
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

/**
 * Moves a failed group that is tested again behind the runs that were rebuilt without it. In front of these runs, it
 * would put them off their base.
 */
export function behindTheRebuilt(queue: QueueSnapshot, run: TestRun): StepResult {
  const line = lineOf(queue);
  const at = line.findIndex((group) => group.run?.number === run.number);
  if (at < 0 || isDryRun(line[at]!)) return NOTHING;
  const rebuilt = line.findLastIndex(
    (group) => group.run !== null && dependenciesOf(queue, group).includes(line[at]!) && !isBuiltOn(group.run, run.own),
  );
  if (rebuilt < 0) return NOTHING;
  const restarted: Group = { ...line[at]!, run: null };
  const reordered = [...line.slice(0, at), ...line.slice(at + 1, rebuilt + 1), restarted, ...line.slice(rebuilt + 1)];
  return changesOnly({ type: 'entriesPlaced', places: placed(queue, reordered), because: 'restarted' });
}
