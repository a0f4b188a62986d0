import { CliError } from '../cli-error';
import type { Reply } from '../reply';
import { quarantineDecision } from './quarantine-decision';
import type { FailedTest, UploadAnswer, UploadOutcome } from './send-upload';
import type { TestsEnd } from './test-command';
import { count } from './upload-progress';

/** The results of the tests and of the upload. */
export interface UploadRun {
  readonly tests: TestsEnd | undefined;
  readonly upload: UploadOutcome | { readonly type: 'nothing'; readonly error: CliError };
  readonly policy: 'plain' | 'quarantine';
}

interface Ending {
  /** The stored results, if there are any. */
  readonly reply: Reply | undefined;
  /** Printed although the command exits with 0. */
  readonly warning: string | undefined;
  /** Why the command does not exit with 0. */
  readonly failure: CliError | undefined;
}

const MOST_LISTED = 20;

export function endingOf(run: UploadRun): Ending {
  return run.policy === 'quarantine' ? endingByQuarantine(run) : plainEnding(run);
}

/** A bad exit code of the tests comes first, then a failed upload. */
function plainEnding({ tests, upload }: UploadRun): Ending {
  const own = tests?.exit || undefined;
  if (upload.type !== 'uploaded') {
    return { reply: undefined, warning: undefined, failure: endingWith(own ?? upload.error.exit, upload.error) };
  }
  const failure =
    own === undefined ? undefined : new CliError(`The tests ended with ${own}.`, { exit: own, code: 'TESTS_FAILED' });
  return { reply: replyOf(upload.answer, {}), warning: undefined, failure };
}

function endingByQuarantine({ tests, upload }: UploadRun): Ending {
  const { exit, because } = quarantineDecision({ tests, upload });
  const reply = upload.type === 'uploaded' ? replyOf(upload.answer, { exit, because }) : undefined;
  if (upload.type !== 'uploaded' && exit !== 0) {
    const { message } = upload.error;
    return { reply, warning: undefined, failure: endingWith(exit, upload.error, `${message} ${because}`) };
  }
  const warning = upload.type === 'uploaded' ? undefined : `${upload.error.message} ${because}`;
  const failure = exit === 0 ? undefined : new CliError(because, { exit, code: 'TESTS_FAILED' });
  return { reply, warning, failure };
}

function endingWith(exit: number, { message, code, details, next }: CliError, said = message): CliError {
  return new CliError(said, { exit, code, details, next });
}

function replyOf(answer: UploadAnswer, verdict: { readonly exit?: number; readonly because?: string }): Reply {
  const { total, passed, failed, skipped } = answer.results;
  const stored = answer.status === 'stored' ? 'Stored' : 'Stored before';
  return {
    data: { ...answer, ...verdict },
    lines: [
      `${stored}: ${count(total, 'result')}, ${passed} passed, ${failed} failed, ${skipped} skipped.`,
      ...listOf(
        'Failed',
        answer.failures.filter(({ quarantined }) => !quarantined),
      ),
      ...listOf(
        'Failed, and quarantined',
        answer.failures.filter(({ quarantined }) => quarantined),
      ),
      ...(verdict.because === undefined ? [] : [verdict.because]),
    ],
  };
}

function listOf(heading: string, failures: readonly FailedTest[]): string[] {
  if (failures.length === 0) return [];
  const listed = failures.slice(0, MOST_LISTED).map((failure) => `  ${describe(failure)}`);
  const more = failures.length - listed.length;
  return [`${heading}:`, ...listed, ...(more === 0 ? [] : [`  and ${more} more`])];
}

function describe({ name, classname, parent, file }: FailedTest): string {
  const of = classname || parent;
  return [of, name].filter(Boolean).join(' › ') + (file === '' ? '' : ` (${file})`);
}
