import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { misfitChance } from '../flow-facts/chances';
import { headNow, headsLanding, holds } from './heads';
import { areNeedsMet, doClash } from './needs';
import { passedBeside } from './standing';
import { standingOf } from '../flow-facts/scheduling';

/** What passed is taken along as long as it fits together with this chance. */
const FITS = 0.6;

/** After so many landings that went without it, nothing lands any more that does not hold it. */
const OWED_AFTER = 6;

/**
 * Those that passed beside others, oldest first, as many as are likely to fit together. What needs something that is not
 * before it stays out, and so does what clashes with one that is taken.
 */
function ridersNow(queue: QueueSnapshot): readonly Entry[] {
  const misfit = misfitChance(queue);
  const riders: Entry[] = [];
  let chance = 1;
  for (const entry of passedBeside(queue)) {
    chance *= 1 - misfit;
    if (riders.length > 0 && chance < FITS) break;
    const before: readonly QueuedHead[] = [...riders.map(headNow), ...headsLanding(queue)];
    if (areNeedsMet(queue, entry, before) && !riders.some((other) => doClash(entry, other))) riders.push(entry);
  }
  return riders;
}

/** The first that too many landings went without; null: none. */
export function owedEntry(queue: QueueSnapshot): Entry | null {
  return passedBeside(queue).find((entry) => standingOf(entry).rides >= OWED_AFTER) ?? null;
}

export function ridersBeyondLanding(queue: QueueSnapshot): readonly Entry[] {
  const landing = headsLanding(queue);
  return ridersNow(queue).filter((entry) => !holds(landing, headNow(entry)));
}
