import { flowOf, isFlow } from '../flow-facts/scheduling';
import { isAnybodyReady } from './readiness';
import type { QueueSnapshot, TestRun } from '../model';
import { type Instant, MINUTE } from '../vocabulary';
import { mayStartTests, searchSlotsInUse, searchSlotsOf } from './slots';
import { entriesAwaitingWord } from './verdict';

/**
 * Before the target is tested, the queue waits this long for a pass of a run under test, which would show that the
 * tests work.
 */
const OTHERS_MAY_PASS: Instant = 10 * MINUTE;

/**
 * When the target is tested to learn whether the tests work. Null if it need not or cannot be tested, and in flow
 * queues, which have their own rule.
 */
export function controlDueAt(queue: QueueSnapshot, now: Instant): Instant | null {
  if (isFlow(queue) || !mayStartTests(queue) || searchSlotsInUse(queue) >= searchSlotsOf(queue)) return null;
  const { redTarget } = flowOf(queue);
  if (redTarget !== null) return isAnybodyReady(queue) ? redTarget.againAt : null;
  const waiting = entriesAwaitingWord(queue);
  if (waiting.length === 0) return null;
  if (!queue.runs.some(mayPass)) return now;
  return Math.min(...waiting.map(({ stateChangedAt }) => stateChangedAt)) + OTHERS_MAY_PASS;
}

function mayPass({ phase }: TestRun): boolean {
  return phase === 'building' || phase === 'testing';
}
