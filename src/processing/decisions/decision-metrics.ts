import type { DecisionResult } from '../../domain/decision-result';
import type { Change } from '../../engine/changes';
import { processCounter, processHistogram } from '../../platform/metrics/process-counter';

const durations = processHistogram({
  name: 'sluice_decision_duration_seconds',
  help: 'Time from the lock on a queue to the commit, by outcome.',
  labelNames: ['result'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});
const concluded = processCounter(
  'sluice_pull_requests_concluded_total',
  'Pull requests that left a queue by a decision of this process, with the reason if the pull request did not merge.',
  ['conclusion', 'reason'],
);
const started = processCounter('sluice_test_runs_started_total', 'Test commits that were pushed.');
const ended = processCounter('sluice_test_runs_ended_total', 'Test runs that ended, by their result.', ['result']);

const wrongTrees = processCounter(
  'sluice_wrong_trees_total',
  'Merges after which the target had another tree than was tested, because the code host wrote it. Pushes by other people do not count.',
);

/** Counts a decision. Call it after the commit of the decision. */
export function countDecision(
  result: DecisionResult['type'] | 'idle' | 'busy',
  changes: readonly Change[],
  seconds: number,
): void {
  if (result === 'idle' || result === 'busy') return;
  durations.observe({ result }, seconds);
  for (const change of changes) {
    if (change.type === 'runPushed') started.inc();
    if (change.type === 'runPassed') ended.inc({ result: 'passed' });
    if (change.type === 'runFailed') ended.inc({ result: 'failed' });
    if (change.type === 'runLost') ended.inc({ result: 'lost' });
    if (change.type === 'runConflicted') ended.inc({ result: 'conflict' });
    if (change.type === 'partEvaluated' && change.isWrongTree) wrongTrees.inc();
    if (change.type !== 'entryMoved') continue;
    const { to, because } = change;
    if (to === 'merged') concluded.inc({ conclusion: to, reason: '' });
    if (to === 'failed' || to === 'cancelled') concluded.inc({ conclusion: to, reason: because ?? '' });
  }
}
