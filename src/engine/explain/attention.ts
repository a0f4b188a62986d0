import { flowOf } from '../flow-facts/scheduling';
import { counted, duration } from '../wording/words';
import type { QueueSnapshot } from '../model';
import type { Instant } from '../vocabulary';
import { whatKeepsTests } from './starting';

/** Facts about the queue that its row in the database does not have. */
export interface QueueTrouble {
  /** How many decisions failed in a row. */
  readonly failedDecisions: number;
  /** For each bisection: the number of members and of suspects. */
  readonly searches: readonly { readonly members: number; readonly suspects: number }[];
  /**
   * The run that has been under test longest, and the usual duration of runs. Null if no run is under test or no usual
   * duration is known.
   */
  readonly slowest: { readonly run: number; readonly since: Instant; readonly usually: Instant } | null;
}

/** A run is slow when it takes this many times the usual duration. */
const TOO_SLOW = 3;

/** A sentence about the problem of a queue that needs attention; null if the queue works as it should. */
export function attentionIn(queue: QueueSnapshot, trouble: QueueTrouble, now: Instant): string | null {
  const { failedDecisions, searches, slowest } = trouble;
  if (failedDecisions > 0)
    return `The queue is blocked: its last ${counted(failedDecisions, 'decision')} failed, and it keeps retrying. The service log says why.`;
  // Ignores the obstacles of a new queue whose target nobody has looked at yet.
  const kept = queue.tipSeenAt === null ? null : whatKeepsTests(queue, now);
  if (kept !== null) return `${kept}.`;
  const { redTarget } = flowOf(queue);
  if (redTarget !== null)
    return `${queue.branch} has been failing its own tests for ${duration(now - redTarget.since)}: only urgent pull requests are tested. Fix ${queue.branch}.`;
  if (slowest !== null && now - slowest.since > TOO_SLOW * slowest.usually)
    return `Run ${slowest.run} has been testing for ${duration(now - slowest.since)}; a run usually takes ${duration(slowest.usually)}.`;
  const [search] = searches;
  if (search === undefined) return null;
  if (search.members === 1) return 'A pull request failed in isolation, and is tested once more before it is blamed.';
  const left = search.suspects === 1 ? '1 suspect is' : `${search.suspects} suspects are`;
  return `Bisecting a failed batch of ${search.members}: ${left} left.`;
}
