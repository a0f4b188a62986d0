import { doubtsAbout, type JobComparison, NO_FINDINGS, type UploadFindings } from './whole-upload';

const WHOLE: JobComparison = { type: 'compared', missing: 0 };
const PLACE = { file: 'a.xml', line: 3 };

describe('Reports account for every failure', () => {
  it('when nothing was refused, missing or outside tests', () => {
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
      'Something failed outside tests, which nobody may ignore: b.test.js: cannot load (a.xml, line 3).',
    ],
    [
      'unmet_totals',
      { unmetTotals: [{ ...PLACE, message: '"s" states 3 failures and errors, and 1 are in it' }] },
      WHOLE,
      'A report misses failures: "s" states 3 failures and errors, and 1 are in it (a.xml, line 3).',
    ],
    [
      'missing_tests',
      {},
      { type: 'compared', missing: 1 },
      '1 test that the last runs of this job had is missing from the reports.',
    ],
    [
      'unknown_job',
      {},
      { type: 'unknown_job' },
      'The job is not known, so nobody can tell which tests are missing. Name it with --job.',
    ],
    [
      'no_earlier_run',
      {},
      { type: 'no_earlier_run' },
      'No earlier run of this job is known, so nobody can tell which tests are missing.',
    ],
    ['too_many_tests', {}, { type: 'too_many_tests' }, 'There are too many tests to tell which are missing.'],
  ];

  it.each(doubtful)('not with %s, and a sentence says why', (kind, findings, comparison, message) => {
    expect(doubtsAbout({ ...NO_FINDINGS, ...findings }, comparison)).toEqual([{ kind, message }]);
  });
});
