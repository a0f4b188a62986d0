import type { Landing, QueueSnapshot, TestRun } from '../model';
import { landedBefore } from '../policy/freeze';
import { entriesOf } from '../policy/line';
import { nextLanding } from '../policy/next-landing';
import { NOTHING, type StepResult } from '../policy/step-result';
import type { Instant } from '../vocabulary';

/**
 * Lands the next runs as soon as they may land, one landing at a time. Only whole runs are landed, because nobody has
 * tested the tree of a part of a run.
 */
export function landPassedRun(queue: QueueSnapshot, now: Instant): StepResult {
  const next = nextLanding(queue, now);
  const last = next?.runs.at(-1);
  if (queue.tip === null || next === null || next.from > now || !last || last.commit === null) return NOTHING;
  return ordered(queue, next.runs, { ...last, commit: last.commit }, queue.tip, now);
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
        ...landedBefore(
          queue,
          runs.flatMap((run) => entriesOf(queue, run)),
          now,
        ),
      },
    ],
  };
}
