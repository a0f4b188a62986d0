import type { Entry, Freeze, QueueSnapshot } from '../model';
import type { Instant } from '../vocabulary';

/** Until when these may not land, as far as the freezes of now say; null: they may. */
export function frozenUntil(
  { freezes }: Pick<QueueSnapshot, 'freezes'>,
  entries: readonly Pick<Entry, 'priority'>[],
  now: Instant,
): Instant | null {
  const held = holding(freezes, entries, now);
  return held.length === 0 ? null : Math.max(...held.map(({ until }) => until));
}

/** Whether nothing but a change of the settings lets these land. */
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

/** When the next freeze begins that holds these; null: none that is known. */
export function frozenFrom(
  { freezes }: Pick<QueueSnapshot, 'freezes'>,
  entries: readonly Pick<Entry, 'priority'>[],
  now: Instant,
): Instant | null {
  const beginnings = freezes.map(({ from }) => from).filter((from) => from > now);
  const held = beginnings.filter((from) => frozenUntil({ freezes }, entries, from) !== null);
  return held.length === 0 ? null : Math.min(...held);
}

/** For the order of their landing: it is not carried out after that. */
export function landedBefore(
  queue: Pick<QueueSnapshot, 'freezes'>,
  entries: readonly Pick<Entry, 'priority'>[],
  now: Instant,
): { readonly notAfter?: Instant } {
  const notAfter = frozenFrom(queue, entries, now);
  return notAfter === null ? {} : { notAfter };
}

/** When a freeze begins or ends. */
export function freezeMoments({ freezes }: QueueSnapshot, now: Instant): readonly Instant[] {
  return freezes.flatMap(({ from, until }) => [from, until]).filter((at) => at > now);
}
