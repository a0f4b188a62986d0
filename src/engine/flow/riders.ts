import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { misfitChance } from '../flow-facts/chances';
import { headNow, headsLanding, holds } from './heads';
import { areNeedsMet, doClash } from './needs';
import { passedBeside } from './standing';
import { standingOf } from '../flow-facts/scheduling';

/** A run takes passed entries along as long as they pass together with at least this chance. */
const FITS = 0.6;

/** After this number of landings without a passed entry, nothing lands that does not include it. */
const OWED_AFTER = 6;

/**
 * The entries awaiting a combined test, oldest first, as many as are likely to pass together. Left out are entries with
 * a dependency that is not before them, and those with a text conflict with one that is taken.
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

/** The first entry that too many landings did not include; null: none. */
export function owedEntry(queue: QueueSnapshot): Entry | null {
  return passedBeside(queue).find((entry) => standingOf(entry).rides >= OWED_AFTER) ?? null;
}

export function ridersBeyondLanding(queue: QueueSnapshot): readonly Entry[] {
  const landing = headsLanding(queue);
  return ridersNow(queue).filter((entry) => !holds(landing, headNow(entry)));
}
