import type { Entry, QueuedHead, QueueSnapshot } from '../model';
import { misfitChance } from '../flow-facts/chances';
import { headNow, headsLanding, holds } from './heads';
import { areNeedsMet, doClash } from './needs';
import { passedBeside } from './standing';
import { standingOf } from '../flow-facts/scheduling';

/** A run includes as many passed entries as pass together with at least this chance. */
const FITS = 0.6;

/** After this number of landings that did not include a passed entry, no run lands without that entry. */
const OWED_AFTER = 6;

/**
 * The entries awaiting a combined test, oldest first, as many as are likely to pass together. An entry is left out if
 * one of its dependencies is not in front of it, or if it has a text conflict with an entry in front of it.
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

/** The passed entry that too many landings left out, the oldest if there are several; null if there is none. */
export function owedEntry(queue: QueueSnapshot): Entry | null {
  return passedBeside(queue).find((entry) => standingOf(entry).rides >= OWED_AFTER) ?? null;
}

export function ridersBeyondLanding(queue: QueueSnapshot): readonly Entry[] {
  const landing = headsLanding(queue);
  return ridersNow(queue).filter((entry) => !holds(landing, headNow(entry)));
}
