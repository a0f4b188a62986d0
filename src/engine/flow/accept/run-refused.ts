import type { NotStarted } from '../../events';
import { inConflict } from '../../wording/words';
import type { Entry, QueueSnapshot, TestRun } from '../../model';
import { failToStart } from '../../policy/blame';
import { changesOnly, combine, ended, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { contentOf, headNow, openEntries } from '../heads';
import { backToFront, givenBack, isAt } from '../standing';
import { standingOf } from '../../flow-facts/scheduling';

type ConflictFound = Extract<NotStarted, { type: 'conflict' }>;

/**
 * A conflict with the target fails the entry, if the target has not moved. An entry in conflict with another entry
 * waits until that entry lands or leaves, unless it passed first itself. The other entries of the run are not affected.
 */
export function conflictInFlow(queue: QueueSnapshot, run: TestRun, found: ConflictFound, now: Instant): StepResult {
  const entry = openEntries(queue, contentOf(run)).find(({ number }) => number === found.number);
  const others = givenBack(queue, run, 'rebuild_required', now);
  const over = ended(run, 'start_test_run_merge_conflict');
  if (entry === undefined) return combine(over, others);
  const isOwn = run.own.some(({ entryId }) => entryId === entry.id);
  const other = contentOf(run).find(({ number }) => number === found.with);
  if (found.with === 'target' || other === undefined) {
    if (isOwn && run.base.epoch === queue.epoch) {
      const details = `conflicts with ${queue.branch}${inConflict(found)}`;
      return combine(over, others, failToStart(entry, 'start_test_run_merge_conflict', details, now));
    }
    return isOwn ? combine(over, others) : combine(over, others, waits(queue, entry, [], now));
  }
  const known = standingOf(entry).clashes.filter((id) => id !== other.entryId);
  return combine(over, others, waits(queue, entry, [...known, other.entryId], now));
}

function waits(queue: QueueSnapshot, entry: Entry, clashes: readonly string[], now: Instant): StepResult {
  const clashing: Entry = { ...entry, flow: { ...standingOf(entry), clashes } };
  const isBack = isAt(queue, entry, 'suspect') || isAt(queue, entry, 'passed');
  if (isBack) return backToFront(queue, [clashing], 'rebuild_required', now);
  return changesOnly({ type: 'standingChanged', entryId: entry.id, standing: { ...standingOf(clashing) } });
}

/** For a host that does not name the refused entry: each entry is tried alone, and then the refused entry fails. */
export function eachAloneInFlow(queue: QueueSnapshot, own: readonly Entry[], now: Instant): StepResult {
  const alone = own.map((entry) => ({ ...entry, batchAtMost: 1 }));
  return backToFront(queue, openEntries({ ...queue, entries: alone }, own.map(headNow)), 'rebuild_required', now);
}
