import type { RandomSuite, RandomTest } from './random-suite';

/**
 * The failures of a run: none in `calm`, all in `real`, and in `judge` all except the failures of quarantined tests. In
 * `elsewhere`, which is the other condition of a matrix, only quarantined tests fail.
 */
export type Phase = 'calm' | 'real' | 'judge' | 'elsewhere';

/** The plan that the files of a suite read when they run. */
export interface Plan {
  readonly fails: readonly string[];
  readonly retried: readonly string[];
  readonly skipped: readonly string[];
  readonly warns: readonly string[];
  /** `setup test_0_1`, `before all file_0` */
  readonly hooks: readonly string[];
  readonly doNotLoad: readonly string[];
}

export function planOf({ files, retries }: RandomSuite, phase: Phase): Plan {
  const tests = files.flatMap((file) => file.tests);
  const names = (of: (test: RandomTest) => boolean): string[] => tests.filter(of).map(({ name }) => name);
  const isWrong = phase === 'real' || phase === 'judge';
  const mayFail = ({ isQuarantined }: RandomTest): boolean =>
    phase === 'real' || (phase === 'judge' && !isQuarantined) || (phase === 'elsewhere' && isQuarantined);
  return {
    fails: names((test) => test.behaviour === 'fails' && mayFail(test)),
    retried: isWrong && retries > 0 ? names((test) => test.behaviour === 'retried' && mayFail(test)) : [],
    skipped: names(({ behaviour, isSkippedLate }) => behaviour === 'skipped' || (isWrong && isSkippedLate)),
    warns: names(({ warns }) => warns === 'always' || (isWrong && warns === 'late')),
    hooks: isWrong ? hooksOf(files) : [],
    doNotLoad: isWrong ? files.filter(({ loads }) => !loads).map(({ name }) => name) : [],
  };
}

/**
 * One line for each item of the plan, for languages without JSON, such as `fails test_0_1` or `hooks before all
 * file_0`.
 */
export function linesOf(plan: Plan): string {
  return Object.entries(plan)
    .flatMap(([what, names]) => (names as readonly string[]).map((name) => `${what} ${name}\n`))
    .join('');
}

function hooksOf(files: RandomSuite['files']): string[] {
  const ofFiles = files.flatMap(({ hook, name }) => (hook === null ? [] : [`${hook} ${name}`]));
  const ofTests = files.flatMap(({ tests }) =>
    tests.flatMap(({ hook, name }) => (hook === null ? [] : [`${hook} ${name}`])),
  );
  return [...ofFiles, ...ofTests];
}
