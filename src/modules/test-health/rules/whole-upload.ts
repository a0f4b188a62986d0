import type { UnusualCount } from './runner-counts';

/** A problem in a report that was read. */
interface InReport {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface RefusedFile {
  readonly file: string;
  /** Null: the problem concerns the file as a whole. */
  readonly line: number | null;
  readonly reason: string;
}

/**
 * Problems that were found while the reports of an upload were read. Lists have a maximum length; counts are complete.
 */
export interface UploadFindings {
  readonly refused: readonly RefusedFile[];
  readonly refusedCount: number;
  /** Reports without a result. */
  readonly emptyFiles: readonly string[];
  readonly outsideTests: readonly InReport[];
  readonly unmetTotals: readonly InReport[];
  /** Tests that the reports mark as cut off. */
  readonly cutOff: readonly InReport[];
  readonly cutOffCount: number;
}

export const NO_FINDINGS: UploadFindings = {
  ...{ refused: [], refusedCount: 0, emptyFiles: [], outsideTests: [], unmetTotals: [] },
  ...{ cutOff: [], cutOffCount: 0 },
};

/** The result of comparing an upload with earlier runs of its job. */
export type JobComparison =
  | { readonly type: 'unknown_job' | 'no_earlier_run' | 'new_part' | 'too_many_tests' }
  | {
      readonly type: 'compared';
      readonly missing: number;
      /** The number of tests that were skipped without a mark, and that no run skipped that exited with 0. */
      readonly notRun: number;
      readonly unusual: readonly UnusualCount[];
    };

export const DOUBTS = [
  ...(['refused_files', 'errors_outside_tests', 'unmet_totals', 'not_run', 'missing_tests', 'other_counts'] as const),
  ...(['unknown_job', 'no_earlier_run', 'too_many_tests'] as const),
] as const;

/** A reason why a failure of the test command may be missing from its reports. */
export interface Doubt {
  readonly kind: (typeof DOUBTS)[number];
  readonly message: string;
}

/**
 * The reasons why a failure may be missing from the reports. Empty: the reports account for every failure that can be
 * in a report.
 */
export function doubtsAbout(findings: UploadFindings, comparison: JobComparison): readonly Doubt[] {
  const { refusedCount, refused, outsideTests, unmetTotals } = findings;
  const doubts: Doubt[] = [];
  if (refusedCount > 0) {
    const first = refused[0] === undefined ? '' : `: ${refused[0].file}`;
    doubts.push({ kind: 'refused_files', message: `${refusedCount} of the reports cannot be read${first}.` });
  }
  const [outside] = outsideTests;
  if (outside) {
    const message = `Something failed outside tests, and such failures are never ignored: ${outside.message} (${outside.file}, line ${outside.line}).`;
    doubts.push({ kind: 'errors_outside_tests', message });
  }
  const [unmet] = unmetTotals;
  if (unmet) {
    const message = `A report misses failures: ${unmet.message} (${unmet.file}, line ${unmet.line}).`;
    doubts.push({ kind: 'unmet_totals', message });
  }
  const [cut] = findings.cutOff;
  if (cut) {
    const tests = counted(findings.cutOffCount, 'test was', 'tests were');
    doubts.push({
      kind: 'not_run',
      message: `${tests} not run because something else failed: ${cut.message} (${cut.file}, line ${cut.line}).`,
    });
  }
  return [...doubts, ...doubtsByJob(comparison)];
}

function counted(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}

function doubtsByJob(comparison: JobComparison): readonly Doubt[] {
  switch (comparison.type) {
    case 'compared': {
      const { missing, notRun, unusual } = comparison;
      return [...doubtOfMissing(missing), ...doubtOfSkipped(notRun), ...unusual.map(doubtOfCount)];
    }
    case 'unknown_job':
      return [
        {
          kind: 'unknown_job',
          message: 'The job is not known, so nobody can tell which tests are missing. Name the job with --job.',
        },
      ];
    case 'new_part':
      return [
        {
          kind: 'no_earlier_run',
          message:
            'No earlier run of this part of the job is known. The name of a part is made of the patterns and the test command, and changes with them: set a fixed name with --part.',
        },
      ];
    case 'no_earlier_run':
      return [
        {
          kind: 'no_earlier_run',
          message: 'No earlier run of this job is known, so nobody can tell which tests are missing.',
        },
      ];
    case 'too_many_tests':
      return [{ kind: 'too_many_tests', message: 'There are too many tests to tell which are missing.' }];
  }
}

function doubtOfMissing(missing: number): readonly Doubt[] {
  if (missing === 0) return [];
  const tests = counted(
    missing,
    'test that the last runs of this job had is',
    'tests that the last runs of this job had are',
  );
  return [{ kind: 'missing_tests', message: `${tests} missing from the reports.` }];
}

function doubtOfSkipped(notRun: number): readonly Doubt[] {
  if (notRun === 0) return [];
  const tests = counted(notRun, 'test that ran before was', 'tests that ran before were');
  const message = `${tests} skipped, and no run of this job that ended with 0 skipped ${notRun === 1 ? 'it' : 'them'}.`;
  return [{ kind: 'not_run', message }];
}

function doubtOfCount({ runner, name, count }: UnusualCount): Doubt {
  const message = `${runner} counts ${count} ${name}, more than in any run of this job that ended with 0: these counts may be the reason why the tests failed.`;
  return { kind: 'other_counts', message };
}
