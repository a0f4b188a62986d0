import type { Entry, QueueSnapshot } from '../model';
import { isOnBase } from '../policy/base';
import { type Group, isUnready, lineOf, queuedHeadsOf, sameHeads } from '../policy/line';
import { isOverdue, lacksDemand } from '../policy/readiness';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import type { Instant } from '../vocabulary';
import { releaseMembers } from './release-members';

/**
 * An entry loses its readiness when the host has a new demand during or after its test. So does a passed entry that
 * waits too long for a check of its head. An entry alone in its run keeps its place and result, unless the run failed.
 * In a batch, the entry leaves the run, because the other entries should not wait for it.
 */
export function loseReadiness(queue: QueueSnapshot, now: Instant): StepResult {
  for (const group of lineOf(queue)) {
    const { run, entries } = group;
    if (run?.phase !== 'testing' && run?.phase !== 'passed' && run?.phase !== 'failed') continue;
    // An entry may be `tests_passed` because a later run proved it, although its own run failed or is under way.
    const mayWait = (entry: Entry): boolean => entry.state !== 'tests_passed' || !isOverdue(queue, entry, now);
    const entry = entries.find((other) => other.state !== 'not_ready' && (lacksDemand(other) || !mayWait(other)));
    if (entry === undefined) continue;
    const lost = moved(entry, 'not_ready', 'readiness_lost', now, { run: run.number });
    if (entries.length === 1 && run.phase !== 'failed') return changesOnly(lost);
    const left = releaseMembers(queue, entry, 'prerequisite_merge_item_cancelled', now);
    return combine(left, changesOnly(lost, ...outOfLine([entry])));
  }
  return NOTHING;
}

/** Removes an unready entry from the line when its kept result is void. The entry is tested again when it is ready. */
export function dropLostResult(queue: QueueSnapshot): StepResult {
  const group = lineOf(queue).find((other) => isUnready(other) && !isResultKept(queue, other));
  if (group === undefined) return NOTHING;
  const left = changesOnly(...outOfLine(group.entries));
  return group.run === null ? left : combine(ended(group.run, 'readiness_lost'), left);
}

function isResultKept(queue: QueueSnapshot, group: Group): boolean {
  const { run } = group;
  if (run?.phase !== 'testing' && run?.phase !== 'passed') return false;
  const isOfItsHead = sameHeads(queuedHeadsOf(group), run.own);
  return isOfItsHead && queue.state !== 'switching_modes' && isOnBase(queue, group, run);
}
