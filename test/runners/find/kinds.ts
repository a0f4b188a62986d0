/**
 * A kind of failure that was once ignored, or a protection that can be removed. The edits delete the code that prevents
 * the failure.
 */
export interface Kind {
  readonly name: string;
  /** Runners whose suites must find this kind. */
  readonly runners: readonly string[];
  readonly edits: readonly (readonly [file: string, piece: string, instead: string])[];
}

const CUT_OFF = 'src/modules/test-health/reports/junit/cut-off.ts';
const WATCH = 'src/cli/upload/output-watch.ts';
const RETRIES = 'src/modules/test-health/rules/retried-commits.ts';

export const KINDS: readonly Kind[] = [
  {
    name: 'A: every test in the report was run',
    runners: ['CTest', 'PHPUnit'],
    edits: [
      [CUT_OFF, 'return MARKS[runner]?.(test) ?? null;', 'return void [MARKS, runner, test] ?? null;'],
      [CUT_OFF, 'return pattern !== undefined && (', 'return message === type && pattern !== undefined && ('],
      [WATCH, 'if (this.notRun !== undefined)', 'if (this.notRun === null)'],
      [WATCH, 'if (notRun !== undefined)', 'if (notRun === null)'],
      ['src/modules/test-health/rules/skipped-tests.ts', 'if (skipped.length === 0) return skipped;', 'return NONE;'],
      ['src/cli/upload/stop-limit.ts', 'if (limit > 0) return limit;', 'if (limit < 0) return limit;'],
      ['src/cli/upload/stop-limit.ts', 'return 1;', 'return undefined;'],
    ],
  },
  {
    name: 'B: two conditions are two attempts',
    runners: ['pytest'],
    edits: [
      [RETRIES, 'byAttempt(known, keyOf).map((own)', 'known.map((one) => [one]).map((own)'],
      [RETRIES, 'own.length >= whole', 'own.length <= whole'],
      [RETRIES, 'keyOf(pass) === keyOf(failure)', 'pass === failure'],
    ],
  },
  {
    name: 'C: the failure of a hook counts as a failure of the test next to it',
    runners: ['pytest', 'PHPUnit'],
    edits: [['src/modules/test-health/reports/junit/failed-hooks.ts', 'if (rule === undefined)', 'if (rule !== null)']],
  },
  {
    name: 'D: a name with a dot or a slash is a hook',
    runners: ['CTest'],
    edits: [
      [
        'src/modules/test-health/reports/junit/outside-tests.ts',
        "if (name.trim() === '') return true;",
        "if (name.trim() === '' || (name === classname && /[./]/.test(name))) return true;",
      ],
    ],
  },
  {
    name: 'E: a run fails only because of failed tests',
    runners: ['PHPUnit', 'pytest'],
    edits: [
      ['src/modules/test-health/rules/runner-counts.ts', 'if (!isKnown) found.push', 'if (count < 0) found.push'],
    ],
  },
];
