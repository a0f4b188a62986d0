import type { Change } from '../changes';
import type { QueueSnapshot, TestRun } from '../model';
import { baseCanComeAbout, expectedBase, type Group, isOnBase, lineOf, sameChange } from '../policy/line';
import { both, changesOnly, ended, moved, NOTHING, type Outcome } from '../policy/outcome';
import type { Instant, PendingReason } from '../vocabulary';

/** What is no longer on its base is rebuilt in its place: its run ends, its entries wait for a slot where they stand. */
export function rebuildRuns(queue: QueueSnapshot, now: Instant): Outcome {
  const line = lineOf(queue);
  for (const group of line) {
    const { run } = group;
    if (run === null || run.phase === 'landing' || !isToBeRebuilt(queue, line, group, run)) continue;
    return rebuild(queue, line, group, run, now);
  }
  return NOTHING;
}

function isToBeRebuilt(queue: QueueSnapshot, line: readonly Group[], group: Group, run: TestRun): boolean {
  if (isOnBase(queue, line, group, run)) return false;
  if (run.phase !== 'failed') return true;
  const wasRebuilt = group.entries.some((entry) => entry.redRebuiltAt === queue.concluded);
  return !wasRebuilt || !baseCanComeAbout(queue, line, group, run);
}

function rebuild(queue: QueueSnapshot, line: readonly Group[], group: Group, run: TestRun, now: Instant): Outcome {
  const because = whyRebuilt(queue, line, group, run);
  const red: readonly Change[] =
    run.phase === 'failed'
      ? group.entries.map((entry) => ({ type: 'redRunRebuilt', entryId: entry.id, concluded: queue.concluded }))
      : [];
  const moves = group.entries
    .filter((entry) => entry.state !== 'pending')
    .map((entry) => moved(entry, 'pending', because, now, { run: run.number }));
  return both(ended(run, because), changesOnly(...red, ...moves));
}

function whyRebuilt(queue: QueueSnapshot, line: readonly Group[], group: Group, run: TestRun): PendingReason {
  if (run.base.epoch !== queue.epoch) return 'manual_push_to_target_branch';
  const expected = expectedBase(line, group);
  const landed = queue.landed.filter((change) => change.seq > run.base.landedSeq);
  const lost = run.builtOn.find((change) => ![...landed, ...expected].some((other) => sameChange(other, change)));
  if (lost) return whyLost(queue, lost.entryId);
  const ahead = line.slice(0, line.indexOf(group));
  const isNew = (entryId: string): boolean => !run.builtOn.some((change) => change.entryId === entryId);
  if (ahead.some(({ entries }) => entries.some((entry) => entry.urgentInLine && isNew(entry.id))))
    return 'skip_the_line_interrupted';
  return 'rebuild_required';
}

function whyLost(queue: QueueSnapshot, entryId: string): PendingReason {
  const entry = queue.entries.find((other) => other.id === entryId);
  if (entry?.state === 'cancelled') return 'prerequisite_merge_item_cancelled';
  if (entry?.state === 'merged') return 'prerequisite_merge_item_manually_merged';
  return 'prerequisite_merge_item_failed';
}
