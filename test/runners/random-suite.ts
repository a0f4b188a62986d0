import type { Dice } from '../simulation/oracle/random';

/** `retried`: it fails first and passes when it is tried again. */
type Behaviour = 'passes' | 'fails' | 'retried' | 'skipped';

export interface RandomTest {
  readonly name: string;
  readonly behaviour: Behaviour;
  /** Quarantined in Sluice before the run that counts. */
  readonly isQuarantined: boolean;
  /** A hook of its own that fails. */
  readonly hook: 'setup' | 'teardown' | null;
  /** It is skipped in the run that counts, and not before. */
  readonly isSkippedLate: boolean;
  readonly warns: boolean;
}

export interface RandomFile {
  readonly name: string;
  /** A hook around all of its tests that fails. */
  readonly hook: 'before all' | 'after all' | null;
  readonly loads: boolean;
  /** The first test that fails cuts off the others. */
  readonly isSerial: boolean;
  readonly tests: readonly RandomTest[];
}

export interface RandomSuite {
  readonly files: readonly RandomFile[];
  /** It stops after so many failures; 0: never. */
  readonly stopsAfter: number;
  readonly retries: number;
  /** The run fails by warnings, or by tests that passed when they were tried again. */
  readonly isStrict: boolean;
  /** Half of the suites have nothing wrong but quarantined tests, so that both answers come up. */
  readonly isOnlyFlaky: boolean;
}

/** At least one test is quarantined and fails. */
export function randomSuite(dice: Dice): RandomSuite {
  const isOnlyFlaky = dice.happens(0.5);
  const wrong = (chance: number): boolean => !isOnlyFlaky && dice.happens(chance);
  const files = Array.from({ length: 1 + dice.below(3) }, (_, at): RandomFile => {
    const tests = Array.from({ length: 1 + dice.below(5) }, (__, place): RandomTest => {
      const isQuarantined = dice.happens(0.35);
      const isFailed = isQuarantined ? dice.happens(0.7) : wrong(0.06);
      return {
        name: `test_${at}_${place}`,
        behaviour: isFailed ? 'fails' : dice.happens(0.1) ? 'skipped' : wrong(0.08) ? 'retried' : 'passes',
        isQuarantined,
        hook: wrong(0.08) ? dice.pick(['setup', 'teardown'] as const) : null,
        isSkippedLate: wrong(0.05),
        warns: dice.happens(0.15),
      };
    });
    const hook = wrong(0.12) ? dice.pick(['before all', 'after all'] as const) : null;
    return { name: `file_${at}`, hook, loads: !wrong(0.05), isSerial: wrong(0.25), tests };
  });
  const sure: RandomTest = {
    ...{ name: 'test_sure', behaviour: 'fails', isQuarantined: true },
    ...{ hook: null, isSkippedLate: false, warns: false },
  };
  const first = files[0]!;
  const place = dice.below(first.tests.length + 1);
  const withSure = { ...first, tests: [...first.tests.slice(0, place), sure, ...first.tests.slice(place)] };
  return {
    files: [withSure, ...files.slice(1)],
    stopsAfter: wrong(0.25) ? 1 + dice.below(2) : 0,
    retries: dice.happens(0.3) ? 1 : 0,
    isStrict: wrong(0.2),
    isOnlyFlaky,
  };
}

/**
 * What is wrong in a run: nothing in `calm`, everything in `real`, and in `judge` everything but the quarantined tests, which
 * pass there.
 */
export type Phase = 'calm' | 'real' | 'judge';

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

export function planOf({ files }: RandomSuite, phase: Phase): Plan {
  const tests = files.flatMap((file) => file.tests);
  const isWrong = phase !== 'calm';
  const names = (of: (test: RandomTest) => boolean): string[] => tests.filter(of).map(({ name }) => name);
  const passes = ({ isQuarantined }: RandomTest): boolean => phase === 'judge' && isQuarantined;
  return {
    fails: isWrong ? names((test) => test.behaviour === 'fails' && !passes(test)) : [],
    retried: isWrong ? names((test) => test.behaviour === 'retried' && !passes(test)) : [],
    skipped: names(({ behaviour, isSkippedLate }) => behaviour === 'skipped' || (isWrong && isSkippedLate)),
    warns: names(({ warns }) => warns),
    hooks: isWrong ? hooksOf(files) : [],
    doNotLoad: isWrong ? files.filter(({ loads }) => !loads).map(({ name }) => name) : [],
  };
}

function hooksOf(files: readonly RandomFile[]): string[] {
  const ofFiles = files.flatMap(({ hook, name }) => (hook === null ? [] : [`${hook} ${name}`]));
  const ofTests = files.flatMap(({ tests }) =>
    tests.flatMap(({ hook, name }) => (hook === null ? [] : [`${hook} ${name}`])),
  );
  return [...ofFiles, ...ofTests];
}
