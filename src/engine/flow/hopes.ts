import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { failureChance } from '../flow-facts/chances';
import { contentOf, headNow, holds, isExact, isUndone, openEntries } from './heads';
import { openNeeds } from './needs';
import { isOfDryRun, runsUnderTest } from './runs';
import { isAt } from './standing';

/** Built on what is still tested only while all of that passes with this chance. */
const LIKELY = 0.8;

interface Hoping {
  /** What is built on anyway. */
  readonly ground: readonly QueuedHead[];
  /** What would start without hopes, and all that waits. */
  readonly own: readonly Entry[];
  readonly line: readonly Entry[];
}

/**
 * The whole content of the longest run under test that is likely to pass and could land; what starts next is built in the same
 * order, so that what lands of it is the beginning of that. Empty: none is likely enough.
 */
export function hopedContent(queue: QueueSnapshot, { ground, own, line }: Hoping): readonly QueuedHead[] {
  let best: readonly QueuedHead[] = [];
  let mostOpen = 0;
  for (const run of runsUnderTest(queue)) {
    if (run.flow.role !== 'group' || run.flow.isUrgent || isOfDryRun(queue, run) || !isExact(queue, run)) continue;
    const content = contentOf(run).filter((head) => isUndone(queue, head));
    const beyond = openEntries(queue, content).filter((entry) => !holds(ground, headNow(entry)));
    if (beyond.some((entry) => own.includes(entry) || !isWelcome(queue, entry))) continue;
    // Tested on top of that, what waits would come behind what needs it.
    if (beyond.some((entry) => openNeeds(queue, entry).some((needed) => line.includes(needed)))) continue;
    const open = beyond.filter((entry) => !isAt(queue, entry, 'passed')).length;
    if (beyond.length === 0 || (1 - failureChance(queue)) ** open < LIKELY || open <= mostOpen) continue;
    best = content;
    mostOpen = open;
  }
  return best;
}

/** Neither a suspect nor in a set of them. */
function isWelcome(queue: QueueSnapshot, entry: Entry): boolean {
  return isAt(queue, entry, 'waiting') || isAt(queue, entry, 'passed');
}
