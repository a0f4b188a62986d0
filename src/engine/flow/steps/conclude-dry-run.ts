import type { QueueSnapshot } from '../../model';
import { combine, changesOnly, ended, moved, NOTHING, type StepResult } from '../../policy/step-result';
import type { Instant } from '../../vocabulary';
import { openEntries } from '../heads';
import { flowRuns } from '../runs';

/** A dry run leaves the queue as soon as its run has passed. The run lands nothing. */
export function concludeDryRun(queue: QueueSnapshot, now: Instant): StepResult {
  for (const run of flowRuns(queue)) {
    if (run.phase !== 'passed') continue;
    const [entry] = openEntries(queue, run.own).filter(({ dryRun }) => dryRun);
    if (!entry) continue;
    const tested = { run: run.number };
    const testing = { ...entry, state: 'testing' } as const;
    const passed = { ...entry, state: 'tests_passed' } as const;
    const begun = entry.state === 'pending' ? [moved(entry, 'testing', null, now, tested)] : [];
    return combine(
      ended(run, 'dry_run_passed'),
      changesOnly(
        ...begun,
        moved(entry.state === 'pending' ? testing : entry, 'tests_passed', 'test_run_passed', now, tested),
        moved(passed, 'cancelled', 'dry_run_passed', now, tested),
      ),
    );
  }
  return NOTHING;
}
