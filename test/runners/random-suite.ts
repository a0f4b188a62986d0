import type { Dice } from '../simulation/oracle/random';

/** What a runner does not say of a test that has failed: docs/test-health-reference.md lists it. */
export interface Hides {
  /** Files in which it says nothing of a teardown that fails, too. */
  readonly hidesTeardown?: (file: RandomFile) => boolean;
  /** It says nothing of its warnings. */
  readonly hidesWarnings?: true;
}

/** `retried`: it fails first and passes when it is tried again. */
type Behaviour = 'passes' | 'fails' | 'retried' | 'skipped';

export interface RandomTest {
  /** Unlike that of any test of another suite, and what a title ends with. */
  readonly name: string;
  /** What stands before the name where titles are free text: some look like a path or a type. */
  readonly title: string;
  readonly behaviour: Behaviour;
  /** Quarantined in Sluice before the run that counts. */
  readonly isQuarantined: boolean;
  /** A hook of its own that fails. */
  readonly hook: 'setup' | 'teardown' | null;
  /** It is skipped in the run that counts, and not before. */
  readonly isSkippedLate: boolean;
  /** `late`: not before the run that counts. */
  readonly warns: 'always' | 'late' | null;
}

export interface RandomFile {
  readonly name: string;
  /** A hook around all of its tests that fails. */
  readonly hook: 'before all' | 'after all' | null;
  readonly loads: boolean;
  /** The first test that fails cuts off the others. */
  readonly isSerial: boolean;
  /** Its tests stand in no group. */
  readonly isFlat: boolean;
  readonly tests: readonly RandomTest[];
}

export interface RandomSuite {
  readonly files: readonly RandomFile[];
  /** It stops after so many failures; 0: never. */
  readonly stopsAfter: number;
  readonly retries: number;
  /** The run fails by warnings, or by tests that passed when they were tried again. */
  readonly isStrict: boolean;
  /** The shares of files that two jobs run, or one share with all. */
  readonly shards: readonly (readonly RandomFile[])[];
  /** Two jobs of one name run it under two conditions. What is not quarantined fails under one only. */
  readonly isMatrix: boolean;
}

/** One thing that is wrong beside quarantined tests; `nothing`: they are all; `anything`: whatever comes up. */
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

/** Draws a suite in which only what `oddity` says goes wrong. */
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

  /** @param isStrict the run fails by what is late */
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
      // Who lets warnings fail a run has none.
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

  /** Tests of the first file beside the random ones. Where the run is cut off, the last one is broken. */
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

/** The test without what its failure hides: to make it pass would make that fail the run. */
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
 * At least one test is quarantined, and it or a hook of its own fails.
 * @param prefix letters and digits, of no other suite
 * @param hides what the runner does not say of a test that has failed: there nothing else is wrong with such a test
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
