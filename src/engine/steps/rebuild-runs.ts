import type { Change } from '../changes';
import type { QueueSnapshot, TestRun } from '../model';
import { baseCanComeAbout, expectedBase, isOnBase, landedSince } from '../policy/base';
import { distrustedUntil } from '../policy/assumed-to-pass';
import { dependenciesOf } from '../policy/lanes';
import { type Group, includesHead, lineOf } from '../policy/line';
import { behindTheRebuilt } from '../policy/places';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult } from '../policy/step-result';
import type { Instant, PendingReason } from '../vocabulary';

/** Rebuilds runs that are no longer on their base: the run ends, and its entries wait for a slot in their place. */
export function rebuildRuns(queue: QueueSnapshot, now: Instant): StepResult {
  for (const group of lineOf(queue)) {
    const { run } = group;
    if (run === null || run.phase === 'landing' || !isToBeRebuilt(queue, group, run)) continue;
    return rebuild(queue, group, run, now);
  }
  return NOTHING;
}

function isToBeRebuilt(queue: QueueSnapshot, group: Group, run: TestRun): boolean {
  if (isOnBase(queue, group, run)) return false;
  if (run.phase !== 'failed') return true;
  const wasRebuilt = group.entries.some((entry) => queue.concluded <= (entry.redRebuiltAt ?? -1));
  return !wasRebuilt || !baseCanComeAbout(queue, group, run);
}

function rebuild(queue: QueueSnapshot, group: Group, run: TestRun, now: Instant): StepResult {
  const because = whyRebuilt(queue, group, run);
  const moves = group.entries
    .filter((entry) => entry.state !== 'pending')
    .map((entry) => moved(entry, 'pending', because, now, { run: run.number }));
  return combine(
    ended(run, because),
    run.phase === 'failed' ? afterRed(queue, group, run) : NOTHING,
    changesOnly(...moves),
  );
}

/**
 * Notes that a failed run is rebuilt. In parallel mode, later runs then no longer assume that the group passes, unless
 * an entry of its base failed or left, which may explain the failure. In that case, the group moves behind the runs
 * that continue without it. In single mode, the group and the later runs do not change.
 */
function afterRed(queue: QueueSnapshot, group: Group, run: TestRun): StepResult {
  const isInLanes = queue.mode === 'parallel';
  const present = [...(landedSince(queue, run) ?? []), ...expectedBase(queue, group)];
  const isExplained = !run.builtOn.every((head) => includesHead(present, head));
  const concluded = isInLanes && !isExplained ? distrustedUntil(queue) : queue.concluded;
  const notes = group.entries.map((entry): Change => ({ type: 'redRunRebuilt', entryId: entry.id, concluded }));
  return combine(changesOnly(...notes), isInLanes && isExplained ? behindTheRebuilt(queue, run) : NOTHING);
}

function whyRebuilt(queue: QueueSnapshot, group: Group, run: TestRun): PendingReason {
  const landed = landedSince(queue, run);
  if (landed === null) return 'manual_push_to_target_branch';
  const present = [...landed, ...expectedBase(queue, group)];
  const lost = run.builtOn.find((change) => !includesHead(present, change));
  if (lost) return whyLost(queue, lost.entryId);
  const isNew = (entryId: string): boolean => !run.builtOn.some((change) => change.entryId === entryId);
  const ahead = dependenciesOf(queue, group).flatMap(({ entries }) => entries);
  if (ahead.some((entry) => entry.urgentInLine && isNew(entry.id))) return 'skip_the_line_interrupted';
  return 'rebuild_required';
}

/**
 * Why the base of a run changed. If the entry that is no longer part of the base is still under test or has passed, it
 * only shares no target with the run any more.
 */
function whyLost(queue: QueueSnapshot, entryId: string): PendingReason {
  const entry = queue.entries.find((other) => other.id === entryId);
  switch (entry?.state) {
    case 'cancelled':
      return 'prerequisite_merge_item_cancelled';
    case 'merged':
      return 'prerequisite_merge_item_manually_merged';
    case 'testing':
    case 'tests_passed':
      return 'rebuild_required';
    default:
      return 'prerequisite_merge_item_failed';
  }
}
