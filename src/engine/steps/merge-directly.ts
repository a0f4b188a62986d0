import type { Entry, Landing, QueueSnapshot, TestRun } from '../model';
import { isFlow } from '../flow-facts/scheduling';
import { shareTargets } from '../policy/lanes';
import { queuedHeadOf, lineOf } from '../policy/line';
import { frozenUntil, landedBefore } from '../policy/freeze';
import { withinLimitFrom } from '../policy/merge-limit';
import { baseNow, newRun } from '../policy/new-run';
import { areNeedsAmong } from '../policy/needs';
import { comparePending } from '../policy/order';
import { NOTHING, type StepResult } from '../policy/step-result';
import { type Instant, URGENT } from '../vocabulary';

/**
 * Asks the host to merge a pull request on its own tests. The pull request must have just become ready for the first
 * time, with no entry of its line or lane ahead of it. The outbox checks that its head contains the target and that its
 * required statuses passed. If not, the pull request goes through the queue from its present place.
 */
export function mergeDirectly(queue: QueueSnapshot, entry: Entry, now: Instant): StepResult {
  const base = baseNow(queue);
  // A layer of a stack is not merged directly, because it merges together with the layers below it.
  if (isFlow(queue) || entry.dryRun || entry.pullRequest.stack !== undefined) return NOTHING;
  if (queue.settings.directMergeMode === 'off' || queue.state !== 'running' || queue.landing !== null) return NOTHING;
  if (base === null || isSomethingAhead(queue, entry) || !areNeedsAmong(queue, entry, [])) return NOTHING;
  if (withinLimitFrom(queue, 1) > now || frozenUntil(queue, [entry], now) !== null) return NOTHING;
  const place = queue.nextPlace;
  const particulars = { kind: 'direct', place, search: null, base, builtOn: [], own: [queuedHeadOf(entry)] } as const;
  const run: TestRun = { ...newRun(queue, particulars, now), phase: 'landing' };
  const expectedTip = { commit: base.commit, tree: base.tree };
  const landing: Landing = { number: queue.nextLanding, runs: [run.number], expectedTip, orderedAt: now };
  return {
    changes: [
      {
        type: 'entriesPlaced',
        places: [{ entryId: entry.id, place, index: 0, urgent: entry.priority === URGENT }],
        because: 'joined',
      },
      { type: 'runStarted', run },
      { type: 'landingOrdered', landing },
    ],
    commands: [
      {
        type: 'landRun',
        landing: landing.number,
        runs: landing.runs,
        changes: run.own,
        expectedTip,
        testedCommit: entry.head,
        testedTree: null,
        direct: { requiredStatuses: run.requiredStatuses },
        mergeMethod: run.mergeMethod,
        orderedAt: now,
        ...landedBefore(queue, [entry], now),
      },
    ],
  };
}

function isSomethingAhead(queue: QueueSnapshot, entry: Entry): boolean {
  const inLine = lineOf(queue).flatMap((group) => group.entries);
  const waiting = queue.entries.filter((other) => other.state === 'pending' && comparePending(other, entry) < 0);
  return shareTargets(queue, [entry], [...inLine, ...waiting]);
}
