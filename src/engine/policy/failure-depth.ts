import type { QueueSnapshot } from '../model';
import type { Instant } from '../vocabulary';
import { assumedAhead, assumedBefore } from './base';
import { dependenciesOf, shareTargets } from './lanes';
import { queuedHeadsOf, type Group, isBuiltOn, isDryRun, lineOf } from './line';
import { isWorthATest } from './line-depth';
import { waitingOutside } from './order';
import { lineHasCapacity, mayStartTests } from './slots';

/**
 * Whether a failed run may stop waiting for the runs behind it. Either the finished runs behind it that are built on it
 * have at least as many pull requests as its failure depth, or no more such runs can come. No run is ever built on a
 * dry run.
 */
export function isDepthSettled(queue: QueueSnapshot, group: Group, depth: number, now: Instant): boolean {
  if (isDryRun(group) || finishedBehind(queue, group) >= depth) return true;
  return !isAwaited(queue, group, now);
}

/** The number of pull requests in the finished runs that are built on this group. */
export function finishedBehind(queue: QueueSnapshot, group: Group): number {
  return behind(queue, group)
    .filter(({ run }) => run !== null && (run.phase === 'passed' || run.phase === 'failed'))
    .filter(({ run }) => run !== null && isBuiltOn(run, queuedHeadsOf(group)))
    .reduce((sum, { entries }) => sum + entries.length, 0);
}

/** Whether a run behind the group is under test or may still start. */
function isAwaited(queue: QueueSnapshot, group: Group, now: Instant): boolean {
  const others = behind(queue, group);
  if (others.some(({ run }) => run?.phase === 'building' || run?.phase === 'testing')) return true;
  if (!mayStartTests(queue)) return false;
  const isWorth = (other: Group): boolean => isWorthATest(queue, assumedAhead(queue, other));
  if (others.some((other) => other.run === null && isWorth(other))) return true;
  if (!lineHasCapacity(queue)) return false;
  return waitingOutside(queue, now).some(
    (entry) => shareTargets(queue, [entry], group.entries) && isWorthATest(queue, assumedBefore(queue, [entry])),
  );
}

function behind(queue: QueueSnapshot, group: Group): readonly Group[] {
  return lineOf(queue).filter((other) => dependenciesOf(queue, other).includes(group));
}
