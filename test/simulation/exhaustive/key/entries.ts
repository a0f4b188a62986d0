import { isFlow, standingOf } from '../../../../src/engine/flow/standing';
import type { Entry, QueueSnapshot } from '../../../../src/engine/model';
import { isBeingLanded } from '../../../../src/engine/policy/line';
import { comparePending, wasRestarted } from '../../../../src/engine/policy/order';
import { isHeldRed } from '../../../../src/engine/policy/verdict';
import { type Instant, MINUTE } from '../../../../src/engine/vocabulary';
import { failureIn, resultIn, streakIn } from './flow';
import { type Names, present } from './names';

/** Fields with a rule of their own below, and those that no decision reads. */
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

export function entryIn(names: Names, entry: Entry): object {
  const { queue, now } = names.state;
  const { number, place, placeIndex, search, redRebuiltAt, stateRun, stateChangedAt } = entry;
  const isHeld = queue.searches.some((other) => other.number === search && isHeldRed(other));
  return {
    number: names.number(number),
    ...present(entry, OTHERS),
    place: place === null ? undefined : `§P${place} ${placeIndex}`,
    search: search === null ? undefined : `§S${search}`,
    run: queue.runs.some((run) => run.number === stateRun) ? `§R${stateRun}` : undefined,
    rebuilt: redRebuiltAt === null || redRebuiltAt < queue.concluded ? undefined : redRebuiltAt - queue.concluded,
    lost: entry.timesLost >= LOST_AT_MOST ? true : undefined,
    held: isHeld ? Math.max(stateChangedAt - now, -ASKED_AFTER) : undefined,
    ...seenIn(queue, entry),
    ...turnIn(names, entry),
    ...batchIn(queue, entry, now),
    flow: isFlow(queue) ? standingIn(names, entry) : undefined,
  };
}

/** What the queue saw of the pull request counts when its landing is over, and then it is as it was, or has left. */
function seenIn(queue: QueueSnapshot, entry: Entry): object {
  const { state, head } = entry.pullRequest;
  return (state === 'open' && head === entry.head) || isBeingLanded(queue, entry) ? {} : { state, head };
}

/** Turns of parallel mode, of two to four pull requests, differ by less than this beside their places in the order. */
const FAR = 12;

/** Its place among what waits. In parallel mode also by how much it differs from the one before it, and from the next one to come. */
function turnIn({ facts, state: { queue, pulls } }: Names, entry: Entry): object {
  const waiting = queue.entries.filter((other) => isWaiting(queue, other)).sort(comparePending);
  const open = queue.entries.filter(isOpen);
  const isWaited = queue.settings.batch && queue.settings.batchingMaxWaitTimeMinutes > 0;
  const isAlone = open.length === 1 && pulls.length === facts.entries && !isWaited;
  const returned = entry.returnedOrder > 0 && !isAlone && `§B${entry.returnedOrder}`;
  const turn = waiting.includes(entry)
    ? [waiting.indexOf(entry), returned, isWaited && wasRestarted(entry)]
    : undefined;
  return queue.mode === 'single' ? { turn } : { turn, gaps: gapsIn(queue, open, entry) };
}

/** Between its order and those before and behind it, of which one may still come. */
function gapsIn({ nextOrder }: QueueSnapshot, open: readonly Entry[], { submittedOrder: own }: Entry): unknown {
  const orders = open.map(({ submittedOrder }) => submittedOrder);
  const before = Math.max(...orders.filter((order) => order < own));
  const next = Math.min(nextOrder, ...orders.filter((order) => order > own));
  return [before < 0 ? 0 : Math.min(FAR, own - before), Math.min(FAR, next - own)];
}

function isOpen({ concludedAt }: Entry): boolean {
  return concludedAt === null;
}

function isWaiting(queue: QueueSnapshot, entry: Entry): boolean {
  const { state, place, search, flow } = entry;
  if (!isOpen(entry)) return false;
  // In flow also what is tested: it waits again when its test run is lost.
  if (isFlow(queue)) return flow === undefined || flow.at === 'waiting';
  return state === 'pending' && place === null && search === null;
}

function batchIn({ settings }: QueueSnapshot, entry: Entry, now: Instant): object {
  if (!settings.batch) return {};
  const { state, pendingSince, returnedGroup, batchAtMost, greenRetests } = entry;
  const since = Math.max((pendingSince ?? now) - now, -settings.batchingMaxWaitTimeMinutes * MINUTE);
  return { group: [`§G${returnedGroup}`, batchAtMost, greenRetests], since: state === 'pending' ? since : undefined };
}

/** What it stood with at another place is history. */
function standingIn(names: Names, entry: Entry): object {
  const { queue } = names.state;
  const { at, run, set, index, passedAs, rides, redWith, isWholeDue, ...standing } = standingOf(entry);
  const { reds, streaks, redAlone, clashes, until } = standing;
  const idOf = (id: string): string => names.number(queue.entries.find((other) => other.id === id)!.number);
  return {
    at,
    run: queue.runs.some(({ number }) => number === run) ? `§R${run}` : undefined,
    suspect: at === 'suspect' ? [`§T${set}`, index, isWholeDue, redWith.map(idOf)] : undefined,
    passed: at === 'passed' ? [`§A${passedAs}`, rides] : undefined,
    reds: Math.min(reds, 2),
    streaks: streaks.length > 1 ? 'some' : streaks.map((streak) => streakIn(queue, streak)),
    redAlone: redAlone && [
      failureIn(names, redAlone.failure),
      resultIn(queue, redAlone.result),
      streakIn(queue, redAlone.streak),
      names.isRed(redAlone.run),
    ],
    clashes: clashes.map(idOf),
    until: names.list(until),
  };
}
