import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cli-error';
import { quarantineDecision } from './quarantine-decision';
import type { UploadAnswer, UploadOutcome } from './send-upload';
import { OutputWatch } from './output-watch';
import { testsEndOf, type TestsEnd } from './test-command';

const RUNNERS = join(__dirname, '../../../test/fixtures/runners');
const FAILED = { name: 'a', classname: '', parent: '', file: '', status: 'flaky' };

function uploaded(failures: readonly boolean[], more: Partial<UploadAnswer> = {}, isOfThese = true): UploadOutcome {
  const failed = failures.length;
  const answer: UploadAnswer = {
    upload_id: 'u',
    status: 'stored',
    results: { total: 10, passed: 10 - failed, failed, skipped: 0 },
    failures: failures.map((quarantined) => ({ ...FAILED, quarantined })),
    failures_truncated: false,
    tests_set_aside: 0,
    all_failures_quarantined: failures.every(Boolean),
    ...{ counted: true, branch_class: 'stable', refused_files: [], refused_files_total: 0, empty_files: [] },
    ...{ missing_tests: [], missing_tests_total: 0, doubts: [], shared_tests: { same_part: 0, other_parts: 0 } },
    ...more,
  };
  return { type: 'uploaded', answer, isOfThese };
}

const UNREACHABLE = { type: 'unreachable', error: new CliError('away') } as const;
const REFUSED = { type: 'refused', error: new CliError('no') } as const;
const MISSING = { kind: 'missing_tests', message: '2 tests are missing.' };
const NO_TOKEN = { type: 'no_token', error: new CliError('none') } as const;
const NOTHING = { type: 'nothing' } as const;

function ended(exit: number, printed = '  adds\n'): TestsEnd {
  const output = new OutputWatch();
  const lines = output.stream();
  lines.add(Buffer.from(printed));
  lines.end();
  return { ...testsEndOf(exit), output };
}

const exitOf = (tests: number | undefined, upload: Parameters<typeof quarantineDecision>[0]['upload']): number =>
  quarantineDecision({ tests: tests === undefined ? undefined : ended(tests), upload }).exit;

describe('the exit code with --quarantine', () => {
  it.each([
    ['every failure is quarantined', 3, uploaded([true, true]), 0],
    ['one failure is not quarantined', 3, uploaded([true, false]), 3],
    ['the tests failed and no report has a failure', 3, uploaded([]), 3],
    [
      'the tests failed and the reports are empty',
      3,
      uploaded([], { results: { total: 0, passed: 0, failed: 0, skipped: 0 } }),
      3,
    ],
    ['the tests failed and wrote no report', 3, NOTHING, 3],
    ['the tests failed and the service is away', 3, UNREACHABLE, 3],
    ['the tests failed and the service refuses', 3, REFUSED, 3],
    ['the tests were killed, with a quarantined failure before', 137, uploaded([true]), 137],
    ['a crash ended the tests, with a quarantined failure before', 139, uploaded([true]), 139],
    ['the answer is about earlier reports', 3, uploaded([true], { status: 'known' }, false), 3],
    ['the answer was lost and arrived the second time', 3, uploaded([true], { status: 'known' }), 0],
    [
      'more failed than are listed',
      3,
      uploaded([true], { failures_truncated: true, all_failures_quarantined: false }),
      3,
    ],
    ['the tests passed', 0, uploaded([]), 0],
    ['the tests passed at a retry', 0, uploaded([false]), 0],
    ['the tests passed and the service is away', 0, UNREACHABLE, 0],
    ['the tests passed and wrote nothing', 0, NOTHING, 0],
    ['the exit code of the tests is unknown, and every failure is quarantined', undefined, uploaded([true]), 1],
    ['every failure is quarantined, but a failure may be missing', 3, uploaded([true], { doubts: [MISSING] }), 3],
    ['nothing was uploaded without a token', 3, NO_TOKEN, 3],
    ['the tests passed, and nothing was uploaded', 0, NO_TOKEN, 0],
    [
      'the exit code of the tests is not known, no test failed and some are missing',
      undefined,
      uploaded([], { doubts: [MISSING] }),
      1,
    ],
    [
      'the exit code of the tests is not known, no test failed and it is the first run',
      undefined,
      uploaded([], { doubts: [{ kind: 'no_earlier_run', message: 'None.' }] }),
      0,
    ],
    ['the exit code of the tests is not known, and one failure is not quarantined', undefined, uploaded([false]), 1],
    ['the exit code of the tests is not known, and no test failed', undefined, uploaded([]), 0],
    [
      'the exit code of the tests is not known, and there are no results',
      undefined,
      uploaded([], { results: { total: 0, passed: 0, failed: 0, skipped: 0 } }),
      1,
    ],
    ['the exit code of the tests is not known, and the service is away', undefined, UNREACHABLE, 1],
    ['the exit code of the tests is not known, and there is no report', undefined, NOTHING, 1],
  ])('is 0 only if no failure counts (%s)', (_, tests, upload, exit) => {
    expect(exitOf(tests, upload)).toBe(exit);
  });

  it('comes with its reason', () => {
    expect(quarantineDecision({ tests: testsEndOf(3), upload: uploaded([true, false, false]) }).because).toBe(
      '2 of the failed tests are not quarantined.',
    );
    expect(quarantineDecision({ tests: testsEndOf(3), upload: uploaded([]) }).because).toMatch(
      /ended with 3, and no report/,
    );
  });

  it('stays the exit code of the tests if the command stopped at its limit of failures', () => {
    const upload = uploaded([true, true]);
    const decided = [1, 2, 3].map((stopsAfter) => quarantineDecision({ tests: ended(1), upload, stopsAfter }));
    expect(decided.map(({ exit }) => exit)).toEqual([1, 1, 0]);
    expect(decided[0]?.because).toMatch(/stops after the first failure, so other tests may not have run\.$/);
  });

  it('counts no failure of gotestsum that passed when it ran again', () => {
    const known = { passed_on_retry: true } as NonNullable<UploadAnswer['failures'][number]['known']>;
    const retried = { ...FAILED, quarantined: false, known };
    const decide = (printed: string, failures: UploadAnswer['failures'], more: Partial<UploadAnswer> = {}) =>
      quarantineDecision({ tests: ended(1, printed), upload: uploaded([true, false], { failures, ...more }) }).exit;
    const both = [{ ...FAILED, quarantined: true }, retried];
    const again = 'DONE 2 runs, 9 tests, 1 skipped, 5 failures in 0.719s\n';
    expect(decide(again, both)).toBe(0);
    expect(decide('DONE 9 tests, 1 skipped, 5 failures in 0.719s\n', both)).toBe(1);
    expect(decide(`${again}Tests:       1 failed, 1 passed, 2 total\n`, both)).toBe(1);
    expect(decide(again, [...both, { ...FAILED, quarantined: false }])).toBe(1);
    expect(decide(again, both, { failures_truncated: true })).toBe(1);
  });

  it.each([
    'ctest/stop',
    'gotestsum/fail-fast',
    'jest/bail',
    'mocha/bail',
    'phpunit/stop',
    'robot/exit-on-failure',
    'vitest/bail',
  ])(
    'is 1 for a real run that a limit of failures ended, even if nobody knows the tests that it left out: %s',
    (run) => {
      const printed = readFileSync(join(RUNNERS, run, 'output.txt'), 'utf8');
      expect(quarantineDecision({ tests: ended(1, printed), upload: uploaded([true]), stopsAfter: 1 }).exit).toBe(1);
    },
  );

  it('ignores the limit of failures if the output shows that no test was left out', () => {
    const decide = (printed: string) =>
      quarantineDecision({ tests: ended(1, printed), upload: uploaded([true]), stopsAfter: 1 }).exit;
    expect(decide('Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 total\n')).toBe(0);
    expect(decide('Test Suites: 1 failed, 1 of 3 total\nTests:       1 failed, 2 total\n')).toBe(1);
  });

  it.each([
    ['doubts', ended(1), [MISSING], /but more may have failed\. 2 tests are missing\.$/],
    ['unseen output', testsEndOf(1), [], /The output of the tests is not known/],
    [
      'a missed threshold',
      ended(1, 'Jest: Coverage for lines (5%) does not meet "global" threshold (90%)'),
      [],
      /Jest: Cov/,
    ],
    ['an exit code of something else', ended(2, '=== test session starts ===\n'), [], /pytest ends with 1/],
  ] as const)(
    'stays the exit code of the tests in spite of quarantine, with a reason: %s',
    (_, tests, doubts, sentence) => {
      const { exit, because } = quarantineDecision({ tests, upload: uploaded([true], { doubts }) });
      expect([exit, because]).toEqual([tests.exit, expect.stringMatching(sentence)]);
    },
  );
});
