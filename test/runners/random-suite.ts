import type { Dice } from '../simulation/oracle/random';

/** Details of failed tests that a runner does not report. docs/test-health-reference.md lists them for each runner. */
export interface Hides {
  /** Whether the runner also hides a failed teardown, if its test failed and is in this file. */
  readonly hidesTeardown?: (file: RandomFile) => boolean;
  /** Whether the runner does not report warnings of a failed test. */
  readonly hidesWarnings?: true;
}

/** `retried`: the test first fails, and passes on a retry. */
type Behaviour = 'passes' | 'fails' | 'retried' | 'skipped';

export interface RandomTest {
  /** The name is unique among all suites. The title of the test ends with this name. */
  readonly name: string;
  /** Text before the name, if the runner allows free text in titles. Some texts look like a path or a type. */
  readonly title: string;
  readonly behaviour: Behaviour;
  /** Whether the test is quarantined in Sluice before the run that counts. */
  readonly isQuarantined: boolean;
  /** The hook of this test that fails; null if no hook fails. */
  readonly hook: 'setup' | 'teardown' | null;
  /** Whether the test is skipped in the run that counts, but not before. */
  readonly isSkippedLate: boolean;
  /** With `late`, the test warns in the run that counts, but not before. */
  readonly warns: 'always' | 'late' | null;
}

export interface RandomFile {
  readonly name: string;
  /** The hook around all tests of the file that fails; null if no hook fails. */
  readonly hook: 'before all' | 'after all' | null;
  readonly loads: boolean;
  /** Whether the first failed test of the file cuts off the later tests. */
  readonly isSerial: boolean;
  /** Whether the tests of the file are in no group. */
  readonly isFlat: boolean;
  readonly tests: readonly RandomTest[];
}

export interface RandomSuite {
  readonly files: readonly RandomFile[];
  /** The number of failures after which the run stops; 0 means that it never stops early. */
  readonly stopsAfter: number;
  readonly retries: number;
  /** Whether warnings, or tests that passed on a retry, fail the run. */
  readonly isStrict: boolean;
  /** The files of each of two jobs, or all files as one share. */
  readonly shards: readonly (readonly RandomFile[])[];
  /**
   * Whether two jobs with the same name run the suite under two conditions. Tests outside quarantine fail under one
   * condition only.
   */
  readonly isMatrix: boolean;
}

/** Failures besides quarantined tests. Two further values are `nothing`, and `anything` for random failures. */
const ODDITIES = [
  'hook of a file',
  'hook of a test',
  'does not load',
  'serial',
  'stops',
  'strict',
  'matrix',
  'broken',
] as const;
type Oddity = (typeof ODDITIES)[number] | 'nothing' | 'anything';

/** Draws a suite in which, besides quarantined tests, only `oddity` fails. */
class Draws {
  constructor(
    readonly dice: Dice,
    readonly prefix: string,
    readonly oddity: Oddity,
  ) {}

  is(...oddities: readonly Oddity[]): boolean {
    return oddities.includes(this.oddity);
  }

  wrong(chance: number): boolean {
    return this.is('anything') && this.dice.happens(chance);
  }

  /** @param isStrict whether the run fails by late warnings */
  test(at: number, place: number, isStrict: boolean): RandomTest {
    const { dice } = this;
    const isQuarantined = dice.happens(0.35);
    const isFailed = isQuarantined ? dice.happens(0.7) : this.wrong(0.06);
    const isRetried = this.wrong(0.08) || (this.is('strict') && dice.happens(0.3));
    const isLate = this.wrong(isStrict ? 0.1 : 0.005) || (this.is('strict') && dice.happens(0.3));
    return {
      name: `test_${this.prefix}_${at}_${place}`,
      title: dice.happens(0.2) ? dice.pick(['v1.2/', 'GET/api/', 'cart.', 'shop.Cart.']) : '',
      behaviour: isFailed ? 'fails' : dice.happens(0.1) ? 'skipped' : isRetried ? 'retried' : 'passes',
      isQuarantined,
      hook: this.wrong(0.06) ? this.hookOfTest() : null,
      isSkippedLate: this.wrong(0.01),
      // If warnings fail the runs of a suite, no test may warn in every run.
      warns: !isStrict && dice.happens(0.15) ? 'always' : isLate ? 'late' : null,
    };
  }

  file(at: number, isStrict: boolean): RandomFile {
    const { dice } = this;
    const tests = Array.from({ length: 1 + dice.below(5) }, (_, place) => this.test(at, place, isStrict));
    const hook = this.wrong(0.1) || (at === 0 && this.is('hook of a file')) ? this.hookOfFile() : null;
    return {
      ...{ name: `file_${this.prefix}_${at}`, hook, tests },
      loads: !this.wrong(0.04) && !(at === 0 && this.is('does not load')),
      isSerial: this.wrong(0.25) || (at === 0 && this.is('serial')),
      isFlat: hook === null && dice.happens(0.3),
    };
  }

  /**
   * Tests of the first file in addition to the random tests. If the oddity needs a failed test, a broken test comes
   * last.
   */
  added(): readonly [sure: RandomTest, ...broken: RandomTest[]] {
    const { prefix } = this;
    const hook = this.is('hook of a test') ? this.hookOfTest() : null;
    const behaviour = hook !== null && this.dice.happens(0.5) ? 'passes' : 'fails';
    const sure: RandomTest = { ...PLAIN, name: `test_${prefix}_sure`, behaviour, isQuarantined: true, hook };
    const broken: RandomTest = { ...PLAIN, name: `test_${prefix}_broken`, behaviour: 'fails', isQuarantined: false };
    return this.is('matrix', 'broken', 'serial', 'stops') ? [sure, broken] : [sure];
  }

  private hookOfTest(): 'setup' | 'teardown' {
    return this.dice.pick(['setup', 'teardown'] as const);
  }

  private hookOfFile(): 'before all' | 'after all' {
    return this.dice.pick(['before all', 'after all'] as const);
  }
}

const PLAIN = { title: '', hook: null, isSkippedLate: false, warns: null } as const;

/**
 * The test without the problems that the runner does not report when the test itself fails. If the test itself passed,
 * these problems would make the run fail.
 */
function withoutHidden({ hidesTeardown, hidesWarnings }: Hides, file: RandomFile, test: RandomTest): RandomTest {
  if (test.behaviour !== 'fails' && test.behaviour !== 'retried') return test;
  const isHookHidden = test.hook === 'teardown' && (hidesTeardown?.(file) ?? false);
  return { ...test, hook: isHookHidden ? null : test.hook, warns: hidesWarnings ? null : test.warns };
}

function oddityOf(dice: Dice): Oddity {
  if (dice.happens(0.4)) return 'nothing';
  return dice.happens(0.3) ? 'anything' : dice.pick(ODDITIES);
}

/**
 * Draws a suite. At least one of its tests is quarantined, and fails itself or by its hook.
 * @param prefix letters and digits, unique to the suite
 * @param hides details that the runner does not report of a failed test: in the suite, a failed test has none of these
 * problems
 */
export function randomSuite(dice: Dice, prefix: string, hides: Hides): RandomSuite {
  const draws = new Draws(dice, prefix, oddityOf(dice));
  const isStrict = draws.is('strict') || draws.wrong(0.2);
  const drawn = Array.from({ length: 1 + dice.below(3) }, (_, at) => draws.file(at, isStrict));
  const [first, ...others] = drawn as [RandomFile, ...RandomFile[]];
  const [sure, ...broken] = draws.added();
  const tests = first.tests.toSpliced(dice.below(first.tests.length + 1), 0, sure);
  const all = [{ ...first, tests: [...tests, ...broken] }, ...others];
  const files = all.map((file) => ({ ...file, tests: file.tests.map((test) => withoutHidden(hides, file, test)) }));
  const isMatrix = draws.is('matrix');
  const isSharded = files.length > 1 && !isMatrix && dice.happens(0.25);
  return {
    files,
    stopsAfter: draws.is('stops') || draws.wrong(0.25) ? 1 + dice.below(2) : 0,
    retries: dice.happens(draws.is('strict') ? 0.7 : 0.3) ? 1 : 0,
    isStrict,
    shards: isSharded ? [0, 1].map((share) => files.filter((_, at) => at % 2 === share)) : [files],
    isMatrix,
  };
}
