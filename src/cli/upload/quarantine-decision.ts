import type { UploadAnswer, UploadOutcome } from './send-upload';
import type { TestsEnd } from './test-command';

/** The exit code of the command, and a sentence with the reason. */
interface QuarantineDecision {
  readonly exit: number;
  readonly because: string;
}

interface Evidence {
  /** Undefined: the result of the tests is unknown. */
  readonly tests: TestsEnd | undefined;
  /** `nothing`: there was no report to upload. */
  readonly upload: UploadOutcome | { readonly type: 'nothing' };
  /** The number of failures after which the tests stop, if the command says so. */
  readonly stopsAfter?: number;
}

const UNKNOWN_EXIT = 1;

const WITHOUT_UPLOAD = {
  nothing: 'There is no report',
  refused: 'The service refused the reports',
  unreachable: 'The service cannot be reached',
  no_token: 'Nothing was uploaded without a token',
} as const;

const UNSEEN = `The output of the tests is not known, so nobody would notice a missed coverage threshold or an error outside tests. Run the tests as "sluice upload … -- <command>", or name the file with their output with --test-output.`;

/** The kinds of `doubts` that follow from the reports alone, and not from the known history of the job. */
const CERTAIN: ReadonlySet<string> = new Set([
  ...['refused_files', 'errors_outside_tests', 'unmet_totals', 'missing_tests', 'not_run'],
]);

/**
 * The exit code with `--quarantine`. The decision turns failures into success, never success into failure: tests that
 * ended with 0 have passed, perhaps on a retry. Failures become success only if every failure of the command is
 * accounted for: test failures by the reports, all other failures by the output. If that is uncertain, the exit code of
 * the tests stands.
 */
export function quarantineDecision({ tests, upload, stopsAfter }: Evidence): QuarantineDecision {
  if (tests?.exit === 0) return { exit: 0, because: 'The tests ended with 0.' };
  const own = tests?.exit ?? UNKNOWN_EXIT;
  const stands = (because: string): QuarantineDecision => ({ exit: own, because });
  const ended = tests === undefined ? 'how the tests ended is not known' : `the tests ended with ${own}`;
  if (upload.type !== 'uploaded') return stands(`${WITHOUT_UPLOAD[upload.type]}, and ${ended}.`);
  if (!upload.isOfThese) {
    return stands(
      `The service already had an upload with this id, so its answer describes other reports, and ${ended}.`,
    );
  }
  if (tests?.wasKilled) return stands('The tests were killed before all of them ran.');
  const { answer } = upload;
  if (answer.results.failed === 0) return decisionWithoutFailures(tests, answer);
  const outside = answer.doubts.find(({ kind }) => kind === 'errors_outside_tests');
  if (outside !== undefined) return stands(outside.message);
  if (!answer.all_failures_quarantined && !isRestRetried(answer, tests)) return stands(notAllQuarantined(answer));
  if (answer.doubts.length > 0) return stands(withFailures(answer.doubts));
  if (tests === undefined)
    return stands('How the tests ended is not known: give their exit code with --test-exit-code.');
  if (tests.output === undefined) return stands(UNSEEN);
  const { failed } = answer.results;
  if (stopsAfter !== undefined && failed >= stopsAfter && !tests.output.hasRunAll)
    return stands(withFailures([{ message: stopped(stopsAfter) }]));
  const reason = tests.output.reasonBesidesTests(tests.exit, failed);
  if (reason !== undefined) return stands(withFailures([{ message: reason }]));
  return { exit: 0, because: 'Every failed test is quarantined, and nothing else failed.' };
}

function stopped(failures: number): string {
  return `The test command stops after ${failures === 1 ? 'the first failure' : `${failures} failures`}, so other tests may not have run.`;
}

/** Whether the runner ended by last attempts, and all failed tests outside quarantine passed the last time. */
function isRestRetried({ failures, failures_truncated }: UploadAnswer, tests: TestsEnd | undefined): boolean {
  if (failures_truncated || !(tests?.output?.endsByLastAttempts ?? false)) return false;
  return failures.every(({ quarantined, known }) => quarantined || known?.passed_on_retry === true);
}

function notAllQuarantined({ failures, failures_truncated }: UploadAnswer): string {
  const count = failures.filter(({ quarantined }) => !quarantined).length;
  return `${failures_truncated ? 'At least ' : ''}${count} of the failed tests ${count === 1 ? 'is' : 'are'} not quarantined.`;
}

function withFailures(doubts: readonly { readonly message: string }[]): string {
  return `Every failed test is quarantined, but more may have failed. ${doubts.map(({ message }) => message).join(' ')}`;
}

function decisionWithoutFailures(tests: TestsEnd | undefined, { results, doubts }: UploadAnswer): QuarantineDecision {
  if (tests !== undefined) {
    return { exit: tests.exit, because: `The tests ended with ${tests.exit}, and no report has a failure.` };
  }
  if (results.total === 0)
    return { exit: UNKNOWN_EXIT, because: 'The reports have no results, and how the tests ended is not known.' };
  const certain = doubts.filter(({ kind }) => CERTAIN.has(kind)).map(({ message }) => message);
  if (certain.length > 0)
    return { exit: UNKNOWN_EXIT, because: `How the tests ended is not known. ${certain.join(' ')}` };
  return { exit: 0, because: 'No test failed.' };
}
