import type { Entry } from '../../../../src/engine/model';
import { isBeingLanded } from '../../../../src/engine/policy/line';
import { isHeldRed } from '../../../../src/engine/policy/verdict';
import { type Instant, MINUTE } from '../../../../src/engine/vocabulary';
import { markOf } from './names';
import { present } from './present';
import { standingIn } from './standing';
import { turnIn } from './turns';
import type { View } from './view';

/** Fields with their own rule below, fields that no decision reads, and fields that only record the past. */
const OTHERS = new Set(
  (
    'id number attempt head stateChangedAt stateReason stateActor stateRun verifiedByRun pendingSince pullRequest testAnew acquittedAt ' +
    'submittedAt firstPendingAt concludedAt notReadySince evaluatedMode redRebuiltAt generation flow place placeIndex search ' +
    'submittedOrder returnedOrder returnedGroup batchAtMost greenRetests usedDefaultPriority hasTargets timesLost'
  ).split(' '),
);

/**
 * After this number of inconclusive runs, the next inconclusive run fails the entry. The exploration has only one
 * inconclusive run, so none fails an entry.
 */
const LOST_AT_MOST = 2;

/** The time after a failure in isolation at which the queue tests the target, even if other tests may still pass. */
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
 * The state of the pull request at the host and as the queue knows it, unless both have the tested head and are open.
 * During a landing only the state at the host belongs to the key, because the known state counts only afterwards.
 */
function pullIn({ state: { pulls, queue } }: View, entry: Entry): unknown {
  const { number, head, pullRequest: seen } = entry;
  const pull = pulls.find((other) => other.number === number)!;
  const places = isBeingLanded(queue, entry) ? [pull] : [pull, seen];
  if (places.every((one) => one.state === 'open' && one.head === head)) return undefined;
  return places.map((one) => [one.state, one.head === head]);
}

/** The position of an entry in the queue or in a bisection. In a bisection the entry names its test run. */
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

/**
 * The number of further conclusions until a failed run of the entry may be rebuilt again. This number is limited by the
 * number of conclusions that can still come.
 */
function rebuiltIn(view: View, { redRebuiltAt }: Entry): number | undefined {
  const { concluded } = view.state.queue;
  if (redRebuiltAt === null || redRebuiltAt < concluded) return undefined;
  return Math.min(redRebuiltAt - concluded, view.others + 1);
}
