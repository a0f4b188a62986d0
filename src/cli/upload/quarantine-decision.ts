import type { UploadOutcome } from './send-upload';
import type { TestsEnd } from './test-command';

/** The exit code of the command, and a sentence that says why. */
interface QuarantineDecision {
  readonly exit: number;
  readonly because: string;
}

interface Evidence {
  /** Undefined when it is not known how the tests ended. */
  readonly tests: TestsEnd | undefined;
  /** `nothing`: no report was there to upload. */
  readonly upload: UploadOutcome | { readonly type: 'nothing' };
}

const UNKNOWN_EXIT = 1;

const WITHOUT_UPLOAD = {
  nothing: 'There is no report',
  refused: 'The service refused the reports',
  unreachable: 'The service cannot be reached',
} as const;

/**
 * The exit code with `--quarantine`. It turns failures into success, never the other way round: tests that ended with 0
 * have passed, perhaps on a retry. It does so only if the service has seen every failure. After a crash, a kill or a failed
 * upload a failure may be missing from the reports, so the tests' own exit code stands.
 */
export function quarantineDecision({ tests, upload }: Evidence): QuarantineDecision {
  if (tests?.exit === 0) return { exit: 0, because: 'The tests ended with 0.' };
  const own = tests?.exit ?? UNKNOWN_EXIT;
  const ended = tests === undefined ? 'how the tests ended is not known' : `the tests ended with ${own}`;
  if (upload.type !== 'uploaded') {
    return { exit: own, because: `${WITHOUT_UPLOAD[upload.type]}, and ${ended}.` };
  }
  if (!upload.isOfThese) {
    return {
      exit: own,
      because: `The service had this upload id already, so its answer is about other reports, and ${ended}.`,
    };
  }
  if (tests?.wasKilled) return { exit: own, because: 'The tests were killed before all of them ran.' };
  const { answer } = upload;
  if (answer.results.failed === 0) return decisionWithoutFailures(tests, answer.results.total);
  if (!answer.all_failures_quarantined) {
    const count = answer.failures.filter(({ quarantined }) => !quarantined).length;
    const more = answer.failures_truncated ? 'At least ' : '';
    return {
      exit: own,
      because: `${more}${count} of the failed tests ${count === 1 ? 'is' : 'are'} not quarantined.`,
    };
  }
  return { exit: 0, because: 'Every failed test is quarantined.' };
}

function decisionWithoutFailures(tests: TestsEnd | undefined, results: number): QuarantineDecision {
  if (tests !== undefined) {
    return { exit: tests.exit, because: `The tests ended with ${tests.exit}, and no report has a failure.` };
  }
  if (results === 0)
    return { exit: UNKNOWN_EXIT, because: 'The reports have no results, and how the tests ended is not known.' };
  return { exit: 0, because: 'No test failed.' };
}
