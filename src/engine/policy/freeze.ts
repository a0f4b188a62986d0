import type { Entry, QueueSnapshot } from '../model';
import type { Instant } from '../vocabulary';

/** Until when these may not land, as far as the freezes of now say; null: they may. */
export function frozenUntil(
  { freezes }: Pick<QueueSnapshot, 'freezes'>,
  entries: readonly Pick<Entry, 'priority'>[],
  now: Instant,
): Instant | null {
  const holding = freezes.filter(({ from, until, exceptPriorityAtMost: best }) => {
    return from <= now && now < until && !entries.every(({ priority }) => best !== null && priority <= best);
  });
  return holding.length === 0 ? null : Math.max(...holding.map(({ until }) => until));
}

/** When the next freeze begins that holds these; null: none that is known. */
export function frozenFrom(
  { freezes }: Pick<QueueSnapshot, 'freezes'>,
  entries: readonly Pick<Entry, 'priority'>[],
  now: Instant,
): Instant | null {
  const beginnings = freezes.map(({ from }) => from).filter((from) => from > now);
  const holding = beginnings.filter((from) => frozenUntil({ freezes }, entries, from) !== null);
  return holding.length === 0 ? null : Math.min(...holding);
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
