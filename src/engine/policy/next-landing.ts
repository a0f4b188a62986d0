import type { QueueSnapshot, TestRun } from '../model';
import type { Instant } from '../vocabulary';
import { assumedAhead } from './base';
import { frozenUntil } from './freeze';
import { type Group, isDryRun, isUnready, lineOf } from './line';
import { withinLimitFrom } from './merge-limit';
import { isProof } from './proof';
import { isAnythingUnmet } from './readiness';
import { mayLand } from './slots';
import { isHeadUnclear } from './stacks';

/**
 * The next landing, and its earliest time. Nothing else lands before it; otherwise a large group would wait for ever
 * while small groups land.
 */
export interface NextLanding {
  readonly runs: readonly TestRun[];
  /** A time in the past means now. */
  readonly from: Instant;
}

/**
 * The first passed run that has no group ahead that is assumed to pass; with optimistic merging, the last passed run
 * that proves all runs ahead, together with those runs. Null if there is no such run, or a freeze forbids its landing.
 */
export function nextLanding(queue: QueueSnapshot, now: Instant): NextLanding | null {
  if (queue.landing !== null || queue.tip === null || !mayLand(queue)) return null;
  const runs = queue.settings.canOptimisticallyMerge ? provenTogether(queue, now) : nextAlone(queue, now);
  if (runs.length === 0) return null;
  return { runs, from: withinLimitFrom(queue, runs.flatMap(({ own }) => own).length) };
}

function nextAlone(queue: QueueSnapshot, now: Instant): readonly TestRun[] {
  const front = lineOf(queue).find(
    (group) =>
      group.run?.phase === 'passed' && assumedAhead(queue, group).length === 0 && mayLandNow(queue, [group], now),
  );
  return front?.run ? [front.run] : [];
}

/**
 * The last passed run that proves all runs ahead, together with those runs: all of them land in one move. With
 * `maxMergesPerHour`, the first such run, so that fewer land at once.
 */
function provenTogether(queue: QueueSnapshot, now: Instant): readonly TestRun[] {
  const line = lineOf(queue);
  const isNext = (group: Group): boolean =>
    isProof(queue, group) && mayLandNow(queue, [...assumedAhead(queue, group), group], now);
  const proof = queue.settings.maxMergesPerHour === null ? line.findLast(isNext) : line.find(isNext);
  if (!proof) return [];
  return [...assumedAhead(queue, proof), proof].flatMap((group) => group.run ?? []);
}

function mayLandNow(queue: QueueSnapshot, groups: readonly Group[], now: Instant): boolean {
  if (!groups.every(isWelcome)) return false;
  return (
    frozenUntil(
      queue,
      groups.flatMap(({ entries }) => entries),
      now,
    ) === null
  );
}

/**
 * Whether the group may land as far as its pull requests are concerned: it is ready and no dry run, and no demand of
 * the host is known to be unmet.
 */
function isWelcome(group: Group): boolean {
  return (
    !isUnready(group) &&
    !isDryRun(group) &&
    !group.entries.some((entry) => isAnythingUnmet(entry) || isHeadUnclear(entry))
  );
}
