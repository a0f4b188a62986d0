import type { QueueSnapshot } from '../../model';
import { NOTHING, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { begun, flowRuns, runsUnderTest } from '../runs';
import { suspectSets } from '../standing';
import { isAnybodyReady } from '../../policy/readiness';
import { flowOf, standingOf } from '../../flow-facts/scheduling';

/**
 * Tests the target itself in two cases: while the target fails, and when an entry failed in isolation, no test has
 * passed since, and no run under test could show that the tests work. Only a test of the target tells a bad pull
 * request from tests that do not work.
 */
export function startTarget(queue: QueueSnapshot, now: Instant): StepResult {
  if (flowRuns(queue).some(({ flow }) => flow.role === 'target') || !isAnybodyReady(queue)) return NOTHING;
  const { redTarget } = flowOf(queue);
  const isDue = redTarget ? redTarget.againAt <= now : isWordNeeded(queue);
  return isDue ? begun(queue, { role: 'target', own: [], builtOn: [] }, now) : NOTHING;
}

function isWordNeeded(queue: QueueSnapshot): boolean {
  const { lastPass, lastRed } = flowOf(queue);
  const isAnyRedAlone = suspectSets(queue).some(({ members }) =>
    members.some((entry) => (standingOf(entry).redAlone?.result ?? 0) > lastPass),
  );
  return isAnyRedAlone && lastRed > lastPass && runsUnderTest(queue).every(({ flow }) => flow.role === 'alone');
}
