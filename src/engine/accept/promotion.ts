import type { Refused } from '../decision';
import type { QueueEvent } from '../events';
import { isFlow, standingOf } from '../flow-facts/scheduling';
import type { Entry, QueueSnapshot } from '../model';
import { changesOnly, NOTHING, type StepResult } from '../policy/step-result';
import { isConcluded } from '../states';
import { URGENT } from '../vocabulary';
import { neverSubmitted, refused } from './requests';

type PromotionRequested = Extract<QueueEvent, { type: 'promotionRequested' }>;

/** Ahead of all that wait with its priority. It interrupts nothing, so what has its place, or a test, keeps both. */
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
  // In flow urgent ones are built on those that were submitted before them.
  return at === 'waiting' && run === null && entry.priority !== URGENT;
}
