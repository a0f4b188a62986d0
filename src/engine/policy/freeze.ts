import type { Entry, Freeze, QueueSnapshot } from '../model';
import type { Instant } from '../vocabulary';

/** Until when the present freezes forbid these entries to land; null: they may land. */
export function frozenUntil(
  { freezes }: Pick<QueueSnapshot, 'freezes'>,
  entries: readonly Pick<Entry, 'priority'>[],
  now: Instant,
): Instant | null {
  const held = holding(freezes, entries, now);
  return held.length === 0 ? null : Math.max(...held.map(({ until }) => until));
}

/** Whether only a change of the settings lets these entries land. */
export function areFrozenForGood(
  { freezes }: Pick<QueueSnapshot, 'freezes'>,
  entries: readonly Pick<Entry, 'priority'>[],
  now: Instant,
): boolean {
  return holding(freezes, entries, now).some(({ isEndless }) => isEndless);
}

function holding(
  freezes: readonly Freeze[],
  entries: readonly Pick<Entry, 'priority'>[],
  now: Instant,
): readonly Freeze[] {
  return freezes.filter(({ from, until, exceptPriorityAtMost: best }) => {
    return from <= now && now < until && !entries.every(({ priority }) => best !== null && priority <= best);
  });
}

/** When the next freeze that forbids these entries begins; null: no such freeze is known. */
export function frozenFrom(
  { freezes }: Pick<QueueSnapshot, 'freezes'>,
  entries: readonly Pick<Entry, 'priority'>[],
  now: Instant,
): Instant | null {
  const beginnings = freezes.map(({ from }) => from).filter((from) => from > now);
  const held = beginnings.filter((from) => frozenUntil({ freezes }, entries, from) !== null);
  return held.length === 0 ? null : Math.min(...held);
}

/** The deadline of a landing command because of a freeze: the command is not carried out after `notAfter`. */
export function landedBefore(
  queue: Pick<QueueSnapshot, 'freezes'>,
  entries: readonly Pick<Entry, 'priority'>[],
  now: Instant,
): { readonly notAfter?: Instant } {
  const notAfter = frozenFrom(queue, entries, now);
  return notAfter === null ? {} : { notAfter };
}

/** The times at which a freeze begins or ends. */
export function freezeMoments({ freezes }: QueueSnapshot, now: Instant): readonly Instant[] {
  return freezes.flatMap(({ from, until }) => [from, until]).filter((at) => at > now);
}
