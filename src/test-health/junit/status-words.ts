import type { ReportedOutcome } from './reported-result';

/**
 * What runners mean by `status` and `result`, where no child says it: GoogleTest writes status="notrun" or
 * result="skipped" | "suppressed", CTest and JBehave "disabled" and "notrun", behave "untested", mocha "pending".
 * All other words, such as "run" and "completed", say nothing of the outcome.
 */
const OUTCOMES: ReadonlyMap<string, ReportedOutcome> = new Map([
  ...['notrun', 'skipped', 'skip', 'disabled', 'ignored', 'suppressed', 'pending', 'untested'].map(
    (word) => [word, 'skipped'] as const,
  ),
  ...['failed', 'failure', 'fail', 'error', 'errored'].map((word) => [word, 'failed'] as const),
]);

/** `result` before `status`: where a runner writes both, `status` says whether it was run at all. */
export function outcomeByAttributes(attributes: Readonly<Record<string, string>>): ReportedOutcome {
  for (const said of [attributes.result, attributes.status]) {
    const outcome = said === undefined ? undefined : OUTCOMES.get(said.toLowerCase().replace(/[\s_-]/g, ''));
    if (outcome !== undefined) return outcome;
  }
  return 'passed';
}
