import { standingOf } from '../../../../src/engine/flow-facts/scheduling';
import type { Entry } from '../../../../src/engine/model';
import { comparePending, isWaitingOutside } from '../../../../src/engine/policy/order';
import { MINUTE } from '../../../../src/engine/vocabulary';
import type { View } from './view';

/**
 * The rank of an entry among the waiting entries. Entries that returned go before entries that return later. In
 * parallel mode the submission order counts, too.
 */
export function turnIn(view: View, entry: Entry): object {
  const { settings } = view.state.queue;
  const { returnedOrder } = entry;
  const isWaiting = mayWait(view, entry);
  // If batches wait for more entries, it matters even for the last entry whether it returned, because an entry that
  // returned does not wait.
  const isLast = view.others === 0 && !(settings.batch && settings.batchingMaxWaitTimeMinutes > 0);
  const waiting = isWaiting && view.open.filter((other) => mayWait(view, other)).sort(comparePending);
  return {
    turn: waiting ? waiting.indexOf(entry) : undefined,
    returned: isWaiting && !isLast && returnedOrder > 0 ? view.isFlow || `§B${returnedOrder}` : undefined,
    batch: settings.batch ? batchIn(view, entry, isWaiting) : undefined,
    gaps: view.isParallel ? gapsIn(view, entry) : undefined,
  };
}

/**
 * Whether the entry waits. In flow scheduling this includes an entry under test, as long as its test may end without a
 * result.
 */
function mayWait(view: View, entry: Entry): boolean {
  if (!view.isFlow) return isWaitingOutside(entry);
  if (standingOf(entry).at !== 'waiting') return false;
  const runs = view.state.queue.runs.filter(({ own }) =>
    own.some((head) => head.entryId === entry.id && view.isUndone(head)),
  );
  return runs.every(({ phase }) => phase === 'building' || (phase === 'testing' && view.mayBeLost));
}

/**
 * The possible batch partners of an entry, and since when it waits for them. Entries that returned together form a
 * group, and are batched only with each other; group 0 has all other entries. A returned entry does not wait for
 * partners, and an entry that is tested alone has no partners. From its second passed retest on, a batch becomes
 * smaller with each passed retest.
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

/**
 * How much one other pull request can delay an entry with two slots, if it is undecided ahead of the entry, or waits
 * behind it.
 */
const MOST_FOR_EACH = 2 + 2 * 0.4;

/**
 * The distances from the entry's order to the order before and to the order behind, which may still come. A distance
 * beyond the longest possible delay counts as that delay.
 */
function gapsIn(view: View, { submittedOrder: own }: Entry): unknown {
  const { nextOrder } = view.state.queue;
  const far = Math.ceil(MOST_FOR_EACH * view.others) + 1;
  const orders = view.open.filter((other) => !view.lands(other)).map(({ submittedOrder }) => submittedOrder);
  const before = Math.max(...orders.filter((order) => order < own));
  const next = Math.min(...(view.toCome > 0 ? [nextOrder] : []), ...orders.filter((order) => order > own));
  return [before < 0 ? 0 : Math.min(far, own - before), Math.min(far, next - own)];
}
