import type { Entry } from '../../../../src/engine/model';
import { isBeingLanded } from '../../../../src/engine/policy/line';
import { isHeldRed } from '../../../../src/engine/policy/verdict';
import { type Instant, MINUTE } from '../../../../src/engine/vocabulary';
import { markOf } from './names';
import { present } from './present';
import { standingIn } from './standing';
import { turnIn } from './turns';
import type { View } from './view';

/** Fields with a rule of their own below, those that no decision reads, and those that say how it came to be so. */
const OTHERS = new Set(
  (
    'id number attempt head stateChangedAt stateReason stateActor stateRun verifiedByRun pendingSince pullRequest testAnew acquittedAt ' +
    'submittedAt firstPendingAt concludedAt notReadySince judgedMode redRebuiltAt generation flow place placeIndex search ' +
    'submittedOrder returnedOrder returnedGroup batchAtMost greenRetests usedDefaultPriority hasTargets timesLost'
  ).split(' '),
);

/** So often a test run is started again. In a play it is lost once, so that nothing comes of it; more would count. */
const LOST_AT_MOST = 2;

/** When the target is asked about what is red alone, although other tests may pass. */
const ASKED_AFTER: Instant = 10 * MINUTE;

export function entryIn(view: View, entry: Entry): object {
  if (view.lands(entry)) return { number: markOf(entry), lands: true };
  return {
    number: markOf(entry),
    ...present(entry, OTHERS),
    lost: entry.timesLost >= LOST_AT_MOST,
    host: pullIn(view, entry),
    ...turnIn(view, entry),
    ...(view.isFlow ? standingIn(view, entry) : placeIn(view, entry)),
  };
}

/**
 * Only where they differ: at the host, as the queue saw it, and as it is tested. What the queue saw counts when its landing is over, and
 * then it is as it was, or has left.
 */
function pullIn({ state: { pulls, queue } }: View, entry: Entry): unknown {
  const { number, head, pullRequest: seen } = entry;
  const pull = pulls.find((other) => other.number === number)!;
  const places = isBeingLanded(queue, entry) ? [pull] : [pull, seen];
  if (places.every((one) => one.state === 'open' && one.head === head)) return undefined;
  return places.map((one) => [one.state, one.head === head]);
}

/** In the line, or in a search. There its state names one of the test runs. */
function placeIn(view: View, entry: Entry): object {
  const { queue, now } = view.state;
  const { place, placeIndex, search, stateRun, stateChangedAt } = entry;
  const isHeld = queue.searches.some((other) => other.number === search && isHeldRed(other));
  const before = view.open.filter((other) => other.place === place && other.placeIndex < placeIndex);
  return {
    place: place === null ? undefined : [`§P${place}`, before.length],
    search: search === null ? undefined : [`§S${search}`, view.placeOf(stateRun)],
    rebuilt: rebuiltIn(view, entry),
    held: isHeld ? Math.max(stateChangedAt - now, -ASKED_AFTER) : undefined,
  };
}

/** For how many that conclude it still counts, as far as there are so many. */
function rebuiltIn(view: View, { redRebuiltAt }: Entry): number | undefined {
  const { concluded } = view.state.queue;
  if (redRebuiltAt === null || redRebuiltAt < concluded) return undefined;
  return Math.min(redRebuiltAt - concluded, view.others + 1);
}
