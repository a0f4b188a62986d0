import type { QueueSnapshot, SuspectRun, TestRun, UploadFact } from '../model';
import { type Instant, MINUTE } from '../vocabulary';
import { entriesOf } from './line';
import { isControl } from './slots';
import { combine, changesOnly, NOTHING, type StepResult } from './step-result';
import { testAgain } from './test-again';
import { putOffByDowntimes } from './time-out';

/** The maximum wait of a failed run for uploads, while it has fewer uploads than the last runs of the queue had. */
const PATIENCE: Instant = 2 * MINUTE;
const NAMED_AT_MOST = 3;

/** Whether uploads show failures, and only failures of known flaky tests. Tests without an upload are unknown. */
export function showOnlyFlakes(uploads: readonly UploadFact[]): boolean {
  return uploads.some(({ flaky }) => flaky > 0) && uploads.every(({ others }) => others === 0);
}

/**
 * Tests a failed run once more before an entry is blamed, if its uploads show only flakes and none of its entries was
 * tested again for that reason in this attempt. Null: the failure counts. While uploads are awaited, the result is
 * empty. Uploads never make a run pass; only its next test can.
 */
export function suspectRun(queue: QueueSnapshot, run: TestRun, now: Instant): StepResult | null {
  if (!mayBeSuspect(queue, run)) return null;
  const uploads = queue.uploads.filter(({ commit }) => commit === run.commit);
  if (uploads.some(({ others }) => others > 0)) return null;
  if (uploads.length < queue.usualUploads) {
    if (run.redSince === null) return changesOnly({ type: 'runFoundRed', run: run.number, at: now });
    if (isAwaitingUploads(queue, run, now)) return NOTHING;
  }
  return showOnlyFlakes(uploads) ? suspected(queue, run, uploads, now) : null;
}

/** Until when a failed run waits for uploads; null if it has never waited for uploads. */
export function uploadsAwaitedUntil({ downtimes }: QueueSnapshot, { redSince }: TestRun): Instant | null {
  return redSince === null ? null : putOffByDowntimes(downtimes, redSince, redSince + PATIENCE);
}

export function isAwaitingUploads(queue: QueueSnapshot, run: TestRun, now: Instant): boolean {
  const until = run.phase === 'testing' ? uploadsAwaitedUntil(queue, run) : null;
  return until !== null && now < until && mayBeSuspect(queue, run);
}

function mayBeSuspect(queue: QueueSnapshot, run: TestRun): boolean {
  if (!queue.settings.retestFlakyFailures || isControl(queue, run)) return false;
  if (run.kind === 'target') return queue.partialLanding?.suspectRun === undefined;
  return entriesOf(queue, run).every(({ suspectRun }) => suspectRun === null);
}

function suspected(queue: QueueSnapshot, run: TestRun, uploads: readonly UploadFact[], now: Instant): StepResult {
  const names = [...new Set(uploads.flatMap((upload) => upload.tests))];
  const tests = names.slice(0, NAMED_AT_MOST);
  const hasMore = names.length > tests.length || uploads.some((upload) => upload.flaky > upload.tests.length);
  const suspect: SuspectRun = { run: run.number, tests, hasMore };
  const entryIds = entriesOf(queue, run).map(({ id }) => id);
  const details = `only known flaky tests failed: ${tests.join(', ')}${hasMore ? ' and others' : ''}`;
  return combine(
    changesOnly({ type: 'runSuspected', run: run.number, entryIds, suspect }),
    testAgain(queue, run, now, details),
  );
}
