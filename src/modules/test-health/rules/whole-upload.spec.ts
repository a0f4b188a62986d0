import { doubtsAbout, type JobComparison, NO_FINDINGS, type UploadFindings } from './whole-upload';

const WHOLE: JobComparison = { type: 'compared', missing: 0, notRun: 0, unusual: [] };
const PLACE = { file: 'a.xml', line: 3 };

describe('the reports of an upload', () => {
  it('account for every failure when nothing was refused, missing or outside tests', () => {
    expect(doubtsAbout(NO_FINDINGS, WHOLE)).toEqual([]);
    expect(doubtsAbout({ ...NO_FINDINGS, emptyFiles: ['b.xml'] }, WHOLE)).toEqual([]);
  });

  const doubtful: readonly (readonly [string, Partial<UploadFindings>, JobComparison, string])[] = [
    [
      'refused_files',
      { refusedCount: 2, refused: [{ file: 'a.xml', line: 3, reason: 'unclosed tag' }] },
      WHOLE,
      '2 of the reports cannot be read: a.xml.',
    ],
    [
      'errors_outside_tests',
      { outsideTests: [{ ...PLACE, message: 'b.test.js: cannot load' }] },
      WHOLE,
      'Something failed outside tests, and such failures are never ignored: b.test.js: cannot load (a.xml, line 3).',
    ],
    [
      'unmet_totals',
      { unmetTotals: [{ ...PLACE, message: '"s" states 3 failures and errors, but 1 are in it' }] },
      WHOLE,
      'A report misses failures: "s" states 3 failures and errors, but 1 are in it (a.xml, line 3).',
    ],
    [
      'missing_tests',
      {},
      { ...WHOLE, missing: 1 },
      '1 test that the last runs of this job had is missing from the reports.',
    ],
    [
      'not_run',
      { cutOffCount: 2, cutOff: [{ ...PLACE, message: 'adds' }] },
      WHOLE,
      '2 tests were not run because something else failed: adds (a.xml, line 3).',
    ],
    [
      'not_run',
      {},
      { ...WHOLE, notRun: 1 },
      '1 test that ran before was skipped, and no run of this job that ended with 0 skipped it.',
    ],
    [
      'other_counts',
      {},
      { ...WHOLE, unusual: [{ runner: 'pytest', name: 'warnings', count: 2 }] },
      'pytest counts 2 warnings, more than in any run of this job that ended with 0: these counts may be the reason why the tests failed.',
    ],
    [
      'no_earlier_run',
      {},
      { type: 'new_part' },
      'No earlier run of this part of the job is known. The name of a part is made of the patterns and the test command, and changes with them: set a fixed name with --part.',
    ],
    [
      'unknown_job',
      {},
      { type: 'unknown_job' },
      'The job is not known, so nobody can tell which tests are missing. Name the job with --job.',
    ],
    [
      'no_earlier_run',
      {},
      { type: 'no_earlier_run' },
      'No earlier run of this job is known, so nobody can tell which tests are missing.',
    ],
    ['too_many_tests', {}, { type: 'too_many_tests' }, 'There are too many tests to tell which are missing.'],
  ];

  it.each(doubtful)(
    'do not account for every failure in the case %s, and a sentence says why',
    (kind, findings, comparison, message) => {
      expect(doubtsAbout({ ...NO_FINDINGS, ...findings }, comparison)).toEqual([{ kind, message }]);
    },
  );
});
