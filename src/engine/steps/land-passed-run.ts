import type { Landing, QueueSnapshot, TestRun } from '../model';
import { believedAhead, lineOf } from '../policy/line';
import { NOTHING, type Outcome } from '../policy/outcome';
import { mayLand } from '../policy/slots';
import type { Instant } from '../vocabulary';

/**
 * Lands the first run that passed and has nothing believed in ahead of it. The whole run lands, because CI tested the
 * whole run: any part of it alone is a tree nobody has tested. One landing at a time.
 */
export function landPassedRun(queue: QueueSnapshot, now: Instant): Outcome {
  if (queue.landing !== null || queue.tip === null || !mayLand(queue)) return NOTHING;
  const line = lineOf(queue);
  const front = line.find((group) => group.run?.phase === 'passed' && believedAhead(line, group).length === 0);
  const run = front?.run;
  if (!run || run.commit === null) return NOTHING;
  return ordered(queue, run, run.commit, queue.tip, now);
}

function ordered(
  queue: QueueSnapshot,
  run: TestRun,
  testedCommit: string,
  expectedTip: Landing['expectedTip'],
  now: Instant,
): Outcome {
  const landing: Landing = { number: queue.nextLanding, runs: [run.number], expectedTip, orderedAt: now };
  return {
    changes: [{ type: 'landingOrdered', landing }],
    commands: [
      {
        type: 'landRun',
        landing: landing.number,
        runs: landing.runs,
        changes: run.own,
        expectedTip,
        testedCommit,
        testedTree: run.tree,
        direct: null,
        mergeMethod: run.mergeMethod,
        orderedAt: now,
      },
    ],
  };
}
