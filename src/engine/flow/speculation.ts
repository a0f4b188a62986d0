import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { failureChance } from '../flow-facts/chances';
import { contentOf, headNow, holds, isExact, isUndone, openEntries } from './heads';
import { openNeeds } from './needs';
import { isOfDryRun, runsUnderTest } from './runs';
import { isAt } from './standing';

/** A test is built on undecided changes only if all of them pass with at least this chance. */
const LIKELY = 0.8;

interface Speculation {
  /** The passed and landing changes on which the group would start without assumptions. */
  readonly ground: readonly QueuedHead[];
  /** `own`: the entries that would start without assumptions. `line`: all waiting entries. */
  readonly own: readonly Entry[];
  readonly line: readonly Entry[];
}

/**
 * The whole content of the longest run under test that is likely to pass and could land. The next test is built in the
 * same order, so that what has landed by then is the beginning of its tree. Empty if no run is likely enough to pass.
 */
export function speculativeContent(queue: QueueSnapshot, { ground, own, line }: Speculation): readonly QueuedHead[] {
  let best: readonly QueuedHead[] = [];
  let mostOpen = 0;
  for (const run of runsUnderTest(queue)) {
    if (run.flow.role !== 'group' || run.flow.isUrgent || isOfDryRun(queue, run) || !isExact(queue, run)) continue;
    const content = contentOf(run).filter((head) => isUndone(queue, head));
    const beyond = openEntries(queue, content).filter((entry) => !holds(ground, headNow(entry)));
    if (beyond.some((entry) => own.includes(entry) || !isWelcome(queue, entry))) continue;
    // If the content has an entry that depends on a waiting entry, the waiting entry would come behind it.
    if (beyond.some((entry) => openNeeds(queue, entry).some((needed) => line.includes(needed)))) continue;
    const open = beyond.filter((entry) => !isAt(queue, entry, 'passed')).length;
    if (beyond.length === 0 || (1 - failureChance(queue)) ** open < LIKELY || open <= mostOpen) continue;
    best = content;
    mostOpen = open;
  }
  return best;
}

/** Whether the entry is neither a suspect nor in a suspect set. */
function isWelcome(queue: QueueSnapshot, entry: Entry): boolean {
  return isAt(queue, entry, 'waiting') || isAt(queue, entry, 'passed');
}
