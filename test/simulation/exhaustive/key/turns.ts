import { standingOf } from '../../../../src/engine/flow-facts/scheduling';
import type { Entry } from '../../../../src/engine/model';
import { comparePending, isWaitingOutside } from '../../../../src/engine/policy/order';
import { MINUTE } from '../../../../src/engine/vocabulary';
import type { View } from './view';

/**
 * The rank among waiting entries. Returned entries go before entries that return later. In parallel mode the submission
 * order itself counts.
 */
export function turnIn(view: View, entry: Entry): object {
  const { settings } = view.state.queue;
  const { returnedOrder } = entry;
  const isWaiting = mayWait(view, entry);
  // A returned entry waits for no others to form a batch.
  const isLast = view.others === 0 && !(settings.batch && settings.batchingMaxWaitTimeMinutes > 0);
  const waiting = isWaiting && view.open.filter((other) => mayWait(view, other)).sort(comparePending);
  return {
    turn: waiting ? waiting.indexOf(entry) : undefined,
    returned: isWaiting && !isLast && returnedOrder > 0 ? view.isFlow || `§B${returnedOrder}` : undefined,
    batch: settings.batch ? batchIn(view, entry, isWaiting) : undefined,
    gaps: view.isParallel ? gapsIn(view, entry) : undefined,
  };
}

/** In flow scheduling also an entry under test, as long as its test may have no result. */
function mayWait(view: View, entry: Entry): boolean {
  if (!view.isFlow) return isWaitingOutside(entry);
  if (standingOf(entry).at !== 'waiting') return false;
  const runs = view.state.queue.runs.filter(({ own }) =>
    own.some((head) => head.entryId === entry.id && view.isUndone(head)),
  );
  return runs.every(({ phase }) => phase === 'building' || (phase === 'testing' && view.mayBeLost));
}

/**
 * Possible batch partners, and since when the entry waits for them.
 * Entries that returned together are batched only with each other; 0: with every waiting entry. A returned entry waits
 * for no partner, and an entry tested alone has none. The second passed retest of its batch makes the batch smaller,
 * and so does each later one.
 */
function batchIn(view: View, entry: Entry, isWaiting: boolean): unknown {
  const { batchAtMost, greenRetests, returnedOrder, returnedGroup } = entry;
  if (batchAtMost === 1) return 'alone';
  const group = returnedGroup > 0 ? `§G${returnedGroup}` : 0;
  return [isWaiting && [group, returnedOrder === 0 && sinceIn(view, entry)], batchAtMost, Math.min(greenRetests, 1)];
}

function sinceIn({ state: { queue, now } }: View, { pendingSince }: Entry): number {
  return Math.max((pendingSince ?? now) - now, -queue.settings.batchingMaxWaitTimeMinutes * MINUTE);
}

/** With two slots: the delay by one undecided pull request ahead and one waiting behind. */
const MOST_FOR_EACH = 2 + 2 * 0.4;

/**
 * Distances to the orders before and behind; one of those may still come. A distance beyond the longest possible delay
 * counts as that delay.
 */
function gapsIn(view: View, { submittedOrder: own }: Entry): unknown {
  const { nextOrder } = view.state.queue;
  const far = Math.ceil(MOST_FOR_EACH * view.others) + 1;
  const orders = view.open.filter((other) => !view.lands(other)).map(({ submittedOrder }) => submittedOrder);
  const before = Math.max(...orders.filter((order) => order < own));
  const next = Math.min(...(view.toCome > 0 ? [nextOrder] : []), ...orders.filter((order) => order > own));
  return [before < 0 ? 0 : Math.min(far, own - before), Math.min(far, next - own)];
}
