import { CliError } from '../cli-error';
import type { Reply } from '../reply';
import { quarantineDecision } from './quarantine-decision';
import type { UploadOutcome } from './send-upload';
import type { TestsEnd } from './test-command';
import { logLine } from './others-text';
import { replyOf, type ToldUpload } from './upload-reply';

/** The results of the tests and of the upload. */
export interface UploadRun {
  readonly tests: TestsEnd | undefined;
  readonly upload: UploadOutcome | { readonly type: 'nothing'; readonly error: CliError };
  readonly policy: 'plain' | 'quarantine';
  /** The number of failures after which the tests stop, if the command says so. */
  readonly stopsAfter?: number;
  /** `required`: the command fails unless every report was stored. */
  readonly uploading: 'required' | 'tried';
  readonly told: ToldUpload;
}

interface Ending {
  /** The stored results, if there are any. */
  readonly reply: Reply | undefined;
  /** Printed although the command exits with 0. */
  readonly warning: string | undefined;
  /** The reason why the command does not exit with 0. */
  readonly failure: CliError | undefined;
}

export function endingOf(run: UploadRun): Ending {
  const ending = run.policy === 'quarantine' ? endingByQuarantine(run) : plainEnding(run);
  if (ending.failure !== undefined || run.uploading === 'tried') return ending;
  return { ...ending, failure: notAllStored(run.upload) };
}

/**
 * The ending without `--quarantine`. A non-zero exit code of the tests takes precedence over a refusal. If the service
 * does not answer, the command does not fail, because the tested change is not the cause.
 */
function plainEnding({ tests, upload, told }: UploadRun): Ending {
  const own = tests?.exit || undefined;
  if (upload.type === 'uploaded') {
    const failure =
      own === undefined ? undefined : new CliError(`The tests ended with ${own}.`, { exit: own, code: 'TESTS_FAILED' });
    return { reply: replyOf(upload.answer, {}, told), warning: undefined, failure };
  }
  const { error } = upload;
  const isAway = upload.type === 'unreachable' || upload.type === 'no_token';
  if (own === undefined && isAway) return { reply: undefined, warning: advised(error), failure: undefined };
  return { reply: undefined, warning: undefined, failure: endingWith(own ?? error.exit, error) };
}

function endingByQuarantine({ tests, upload, stopsAfter, told }: UploadRun): Ending {
  const { exit, because: reason } = quarantineDecision({ tests, upload, stopsAfter });
  const because = logLine(reason);
  const reply = upload.type === 'uploaded' ? replyOf(upload.answer, { exit, because }, told) : undefined;
  if (upload.type !== 'uploaded' && exit !== 0) {
    const { message } = upload.error;
    return { reply, warning: undefined, failure: endingWith(exit, upload.error, `${message} ${because}`) };
  }
  const warning = upload.type === 'uploaded' ? undefined : `${advised(upload.error)} ${because}`;
  const failure = exit === 0 ? undefined : new CliError(because, { exit, code: 'TESTS_FAILED' });
  return { reply, warning, failure };
}

function notAllStored(upload: UploadRun['upload']): CliError | undefined {
  if (upload.type !== 'uploaded') return endingWith(upload.error.exit, upload.error);
  const { refused_files_total: refused } = upload.answer;
  if (refused === 0) return undefined;
  return new CliError(`${refused} of the reports ${refused === 1 ? 'was' : 'were'} refused.`, {
    code: 'REPORTS_REFUSED',
    next: 'To accept that, leave --require-upload out.',
  });
}

function advised({ message, next }: CliError): string {
  return next === undefined ? message : `${message} ${next}`;
}

function endingWith(exit: number, { message, code, details, next }: CliError, said = message): CliError {
  return new CliError(said, { exit, code, details, next });
}
