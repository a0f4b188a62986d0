import type { Decided } from '../../../../src/engine/decision';
import type { Entry } from '../../../../src/engine/model';
import { type Instant, MINUTE } from '../../../../src/engine/vocabulary';

/** The queue waits 15 minutes for a check that never reports, and looks again some minutes later. */
const PATIENCE = 25 * MINUTE;

/** Checks that a passed pull request does not block the queue for ever because a check of its head never reports. */
export class PatienceCheck {
  readonly problems: string[] = [];
  private readonly noted = new Set<string>();

  /** `runningTime` returns for how much of the time between two moments the service was running. */
  constructor(private readonly runningTime: (from: Instant, to: Instant) => Instant) {}

  decided({ after }: Pick<Decided, 'after'>, now: Instant): void {
    if (after.hostUnreachableSince !== null || after.statusesUnread) return;
    for (const entry of after.entries) {
      const since = waitingSince(entry);
      if (since === null || this.runningTime(since, now) < PATIENCE || this.noted.has(entry.id)) continue;
      this.noted.add(entry.id);
      this.problems.push(`#${entry.number} passed, and waits for a check that nobody reports`);
    }
  }
}

function waitingSince({ state, pullRequest }: Entry): Instant | null {
  if (state !== 'tests_passed') return null;
  const silent = (pullRequest.unmet ?? []).filter(({ isPending, isRunning }) => isPending && !isRunning);
  const moments = silent.flatMap(({ since }) => since ?? []);
  return moments.length === 0 ? null : Math.min(...moments);
}
