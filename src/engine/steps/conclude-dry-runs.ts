import type { QueueSnapshot } from '../model';
import { assumedAhead } from '../policy/base';
import { isDryRun, isUnready, lineOf } from '../policy/line';
import { combine, changesOnly, ended, moved, NOTHING, outOfLine, type StepResult } from '../policy/step-result';
import type { Instant } from '../vocabulary';

/**
 * A dry run leaves at the moment at which it could land: when its run has passed and no entry ahead is assumed to pass.
 * It does not wait for a landing under way.
 */
export function concludeDryRuns(queue: QueueSnapshot, now: Instant): StepResult {
  const group = lineOf(queue).find((other) => {
    if (!isDryRun(other) || isUnready(other) || other.run?.phase !== 'passed') return false;
    return assumedAhead(queue, other).length === 0;
  });
  if (!group?.run) return NOTHING;
  const { run, entries } = group;
  const left = entries.map((entry) => moved(entry, 'cancelled', 'dry_run_passed', now, { run: run.number }));
  return combine(ended(run, 'dry_run_passed'), changesOnly(...left, ...outOfLine(entries)));
}
