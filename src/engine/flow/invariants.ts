import type { QueueSnapshot } from '../model';
import { isConcluded } from '../states';
import { headNow, headsLanding, holds } from './heads';
import { flowRuns, isOwnOf, poolOf, runsUnderTest } from './runs';
import { standingOf } from '../flow-facts/scheduling';

/** Each entry has one place, and each run has one test. */
export function flowInPlace(queue: QueueSnapshot): readonly string[] {
  const said: string[] = [];
  const tests = flowRuns(queue).filter(({ flow, phase }) => flow.role !== 'check' && phase !== 'passed');
  for (const entry of queue.entries) {
    if (isConcluded(entry.state)) {
      if (entry.flow !== undefined) said.push(`#${entry.number} is ${entry.state} and still in flow`);
      continue;
    }
    const own = tests.filter((run) => isOwnOf(run, entry) && run.phase !== 'landing' && !run.flow.isUrgent);
    if (own.length > 1) said.push(`#${entry.number} is tested by ${own.length} runs as their own`);
    const { at, set } = standingOf(entry);
    if (at === 'suspect' && set === 0) said.push(`#${entry.number} is a suspect in no set`);
    const isLanding = holds(headsLanding(queue), headNow(entry));
    if (entry.state === 'tests_passed' && !isLanding) said.push(`#${entry.number} has passed and is not being landed`);
  }
  if (queue.landing?.changes?.length === 0) said.push(`merge ${queue.landing.number} includes no pull request`);
  for (const run of flowRuns(queue))
    if (run.phase === 'landing' && !queue.landing?.runs.includes(run.number))
      said.push(`run ${run.number} merges without a task`);
  return said;
}

/** A smaller pool stops no run, so only new starts beyond it are violations. */
export function flowSlotsRespected(before: QueueSnapshot, after: QueueSnapshot): readonly string[] {
  const inUse = runsUnderTest(after).length;
  return inUse <= poolOf(after) || inUse <= runsUnderTest(before).length ? [] : [`${inUse} runs hold slots`];
}
