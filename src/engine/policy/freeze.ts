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

/** When a freeze begins or ends. */
export function freezeMoments({ freezes }: QueueSnapshot, now: Instant): readonly Instant[] {
  return freezes.flatMap(({ from, until }) => [from, until]).filter((at) => at > now);
}
