import type { Landing, QueueSnapshot, TestRun } from '../model';
import { believedAhead } from '../policy/base';
import { type Group, isDryRun, isUnready, lineOf } from '../policy/line';
import { isAnythingUnmet } from '../policy/readiness';
import { NOTHING, type StepResult } from '../policy/step-result';
import { isProof, mergesOptimistically } from '../policy/proof';
import { mayLand } from '../policy/slots';
import type { Instant } from '../vocabulary';

/**
 * Lands the first run that passed and has nothing believed in ahead of it; with optimistic merging, the last one that
 * passed together with all that it contains. Whole runs, because CI tested whole runs: any part of them alone is a tree
 * nobody has tested. One landing at a time.
 */
export function landPassedRun(queue: QueueSnapshot, now: Instant): StepResult {
  if (queue.landing !== null || queue.tip === null || !mayLand(queue)) return NOTHING;
  const runs = mergesOptimistically(queue) ? provenTogether(queue) : nextAlone(queue);
  const last = runs.at(-1);
  if (!last || last.commit === null) return NOTHING;
  return ordered(queue, runs, { ...last, commit: last.commit }, queue.tip, now);
}

function nextAlone(queue: QueueSnapshot): readonly TestRun[] {
  const front = lineOf(queue).find(
    (group) => group.run?.phase === 'passed' && isWelcome(group) && believedAhead(queue, group).length === 0,
  );
  return front?.run ? [front.run] : [];
}

/** The furthest run that passed, with all runs ahead that it contains: they land in one move. */
function provenTogether(queue: QueueSnapshot): readonly TestRun[] {
  const proof = lineOf(queue).findLast(
    (group) => isProof(queue, group) && [...believedAhead(queue, group), group].every(isWelcome),
  );
  if (!proof) return [];
  return [...believedAhead(queue, proof), proof].flatMap((group) => group.run ?? []);
}

/** It is to land and, as far as the queue knows, the host demands nothing of it any more. */
function isWelcome(group: Group): boolean {
  return !isUnready(group) && !isDryRun(group) && !group.entries.some(isAnythingUnmet);
}

function ordered(
  queue: QueueSnapshot,
  runs: readonly TestRun[],
  last: TestRun & { readonly commit: string },
  expectedTip: Landing['expectedTip'],
  now: Instant,
): StepResult {
  const landing: Landing = {
    number: queue.nextLanding,
    runs: runs.map((run) => run.number),
    expectedTip,
    orderedAt: now,
  };
  return {
    changes: [{ type: 'landingOrdered', landing }],
    commands: [
      {
        type: 'landRun',
        landing: landing.number,
        runs: landing.runs,
        changes: runs.flatMap((run) => run.own),
        expectedTip,
        testedCommit: last.commit,
        ...(last.reused ? {} : { reportedStatuses: last.requiredStatuses }),
        testedTree: queue.mode === 'single' ? last.tree : null,
        direct: null,
        mergeMethod: last.mergeMethod,
        orderedAt: now,
      },
    ],
  };
}
