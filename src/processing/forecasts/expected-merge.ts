import { freezesAround, openFreezes } from '../../domain/freeze-windows';
import type { Forecast } from '../../engine/forecast/forecast';
import type { Entry, FreezeWindow } from '../../engine/model';
import { frozenUntil } from '../../engine/policy/freeze';
import type { Instant } from '../../engine/vocabulary';

/** The maximum number of windows without a gap between them that are followed. */
const MOST_WINDOWS = 16;

/** The first moment, not before `at`, at which no freeze blocks the merge of the entry. */
export function outsideFreezes(
  windows: readonly FreezeWindow[],
  { priority }: Pick<Entry, 'priority'>,
  at: Instant,
): Instant {
  let moment = at;
  for (let i = 0; i < MOST_WINDOWS; i++) {
    const until = frozenUntil({ freezes: openFreezes(windows, moment) }, [{ priority }], moment);
    if (until === null) break;
    moment = until;
  }
  return moment;
}

/** The moments of a forecast, moved out of freezes and to `earliest` or later. */
export function expectedMerge(
  windows: readonly FreezeWindow[],
  entry: Pick<Entry, 'priority'>,
  { p50, p90, low, high }: Forecast,
  { since, earliest }: { readonly since: Instant; readonly earliest: Instant },
): Forecast {
  const at = (duration: Instant) => outsideFreezes(windows, entry, Math.max(earliest, since + duration));
  return { p50: at(p50), p90: at(p90), low: at(low), high: at(high) };
}

/** Whether a freeze blocked merges of this priority at any time between the two moments. */
export function wasFrozen(windows: readonly FreezeWindow[], priority: number, since: Instant, until: Instant): boolean {
  return freezesAround(windows, since).some(
    ({ from, exceptPriorityAtMost: best }) => from < until && !(best !== null && priority <= best),
  );
}
