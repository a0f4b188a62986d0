import type { Refused, Refusal } from '../decision';
import type { QueueEvent } from '../events';
import { evolve } from '../evolve';
import type { CulpritSearch, Entry, QueueSnapshot, TestRun } from '../model';
import { restartInFlow } from '../flow/accept/requests';
import { isFlow, standingOf } from '../flow-facts/scheduling';
import { entriesOf, isBeingLanded, runHolding } from '../policy/line';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult, outOfLine } from '../policy/step-result';
import { behindTheRebuilt } from '../policy/places';
import { isHeldRed, withoutReds } from '../policy/verdict';
import { isConcluded } from '../states';
import { releaseMembers } from '../steps/release-members';
import { URGENT, type Instant, type PendingReason } from '../vocabulary';

type CancelRequested = Extract<QueueEvent, { type: 'cancelRequested' }>;
type AllCancelRequested = Extract<QueueEvent, { type: 'allCancelRequested' }>;
type RestartRequested = Extract<QueueEvent, { type: 'restartRequested' }>;
type PromotionRequested = Extract<QueueEvent, { type: 'promotionRequested' }>;

export function cancel(queue: QueueSnapshot, event: CancelRequested, now: Instant): StepResult | Refused {
  const entry = queue.entries.find((other) => other.number === event.number);
  if (!entry) return neverSubmitted(event.number);
  if (entry.state === 'cancelled') return NOTHING;
  if (isConcluded(entry.state))
    return refused('PR_NOT_IN_ACTIVE_STATE', `pull request #${entry.number} is ${entry.state}: it has left the queue`);
  if (isBeingLanded(queue, entry))
    return refused('PR_NOT_IN_ACTIVE_STATE', `pull request #${entry.number} is being merged: it is too late to cancel`);
  const because = event.via === 'api' ? 'api_requested' : 'user_requested';
  const left = changesOnly(moved(entry, 'cancelled', because, now, { actor: event.actor }), ...outOfLine([entry]));
  return combine(releaseMembers(queue, entry, 'prerequisite_merge_item_cancelled', now), left);
}

/** Cancels all these entries in one decision. Entries that cannot be cancelled stay as they are. */
export function cancelAll(queue: QueueSnapshot, { numbers, actor }: AllCancelRequested, now: Instant): StepResult {
  let left = queue;
  let all = NOTHING;
  for (const number of numbers) {
    const one = cancel(left, { type: 'cancelRequested', number, via: 'api', actor }, now);
    if ('type' in one) continue;
    left = one.changes.reduce(evolve, left);
    all = combine(all, one);
  }
  return all;
}

/** Restarts the whole run of the entry, and no other run: the runs built on this run are still on their base. */
export function restart(queue: QueueSnapshot, event: RestartRequested, now: Instant): StepResult | Refused {
  const entry = queue.entries.find((other) => other.number === event.number);
  if (!entry) return neverSubmitted(event.number);
  if (entry.state === 'pending' && entry.flow === undefined) return NOTHING;
  if (entry.state === 'not_ready')
    return refused('PR_TESTS_NOT_RESTARTABLE', `pull request #${entry.number} is not ready: it has no test yet`);
  if (isConcluded(entry.state))
    return refused('PR_NOT_IN_ACTIVE_STATE', `pull request #${entry.number} is ${entry.state}: it has left the queue`);
  if (isBeingLanded(queue, entry))
    return refused('PR_TESTS_NOT_RESTARTABLE', `pull request #${entry.number} is being merged: its tests have passed`);
  if (isFlow(queue)) return restartInFlow(queue, entry, event, now);
  const because = event.via === 'api' ? 'tests_restarted_by_api_request' : 'tests_restarted_by_user';
  const held = queue.searches.find((search) => search.number === entry.search && isHeldRed(search));
  if (held) return testHeldAnew(held, entry, because, event, now);
  const run = entry.search === null ? runHolding(queue, entry) : (queue.runs.find(isStateRunOf(entry)) ?? null);
  if (run === null) return NOTHING;
  const entries = entriesOf(queue, run);
  const moves = entries
    .filter((other) => other.state !== 'pending' && (other.search === null || other.stateRun === run.number))
    .map((other) => moved(other, 'pending', because, now, { actor: event.actor }));
  return combine(
    ended(run, because),
    changesOnly({ type: 'entriesToTestAnew', entryIds: entries.map((other) => other.id) }, ...moves),
    run.phase === 'failed' ? behindTheRebuilt(queue, run) : NOTHING,
  );
}

function testHeldAnew(
  held: CulpritSearch,
  entry: Entry,
  because: PendingReason,
  { actor }: RestartRequested,
  now: Instant,
): StepResult {
  return changesOnly(
    { type: 'searchAdvanced', search: { ...withoutReds(held), results: [] } },
    { type: 'entriesToTestAnew', entryIds: [entry.id] },
    moved(entry, 'pending', because, now, { actor }),
  );
}

/** The state of an entry names this run. In a bisection, it is the shortest run that tests the entry. */
function isStateRunOf(entry: Entry): (run: TestRun) => boolean {
  return (run) => run.number === entry.stateRun && run.search === entry.search;
}

/**
 * Moves the entry ahead of all waiting entries of its priority. An entry that has a place in the line, or is tested,
 * stays where it is.
 */
export function promote(queue: QueueSnapshot, { number, actor }: PromotionRequested): StepResult | Refused {
  const entry = queue.entries.find((other) => other.number === number);
  if (!entry) return neverSubmitted(number);
  if (isConcluded(entry.state))
    return refused('PR_NOT_IN_ACTIVE_STATE', `pull request #${number} is ${entry.state}: it has left the queue`);
  if (!isWaitingForItsTurn(queue, entry)) return NOTHING;
  return changesOnly({ type: 'entryPromoted', entryId: entry.id, order: -queue.nextOrder, actor });
}

function isWaitingForItsTurn(queue: QueueSnapshot, entry: Entry): boolean {
  if (entry.state !== 'pending' && entry.state !== 'not_ready') return false;
  if (!isFlow(queue)) return entry.place === null && entry.search === null;
  const { at, run } = standingOf(entry);
  // In flow queues, urgent entries are tested in the order of submission: a promotion would change nothing.
  return at === 'waiting' && run === null && entry.priority !== URGENT;
}

export function neverSubmitted(number: number): Refused {
  return refused('PR_NOT_FOUND', `pull request #${number} was never submitted to this queue`);
}

export function refused(code: Refusal['code'], message: string): Refused {
  return { type: 'refused', refusal: { code, message } };
}
