import { planOf, type RandomSuite } from './random-suite';
import type { TestRunner } from './runner';
import type { Workbench } from './workbench';

/** `wrong`: failures were ignored, and the judge failed. `held`: none were, and the judge passed. */
export type Verdict = 'right' | 'wrong' | 'held' | 'cut off' | 'no run before';

export interface PlayedSuite {
  readonly verdict: Verdict;
  /** The exit code of `sluice upload`, and that of the judge. */
  readonly exits: readonly [sluice: number, judge: number];
  readonly judgePasses: boolean;
  readonly printed: string;
}

/**
 * Plays a suite until it has a run that ended with 0, quarantines its tests, and lets everything in it go wrong. The judge is the same run
 * with its quarantined tests made to pass.
 */
export async function playSuite(
  bench: Workbench,
  runner: TestRunner,
  suite: RandomSuite,
  { name, folder }: { readonly name: string; readonly folder: string },
): Promise<PlayedSuite> {
  const command = runner.commandOf(suite, folder);
  bench.begin(name, runner.filesOf(suite), runner.modulesOf?.(folder));
  try {
    const calm = await bench.upload(planOf(suite, 'calm'), command);
    const quarantined = suite.files.flatMap(({ tests }) => tests.filter((test) => test.isQuarantined));
    await bench.quarantine(quarantined.map((test) => test.name));
    const real = await bench.upload(planOf(suite, 'real'), command);
    const judge = bench.run(planOf(suite, 'judge'), command);
    const [passed, judgePasses] = [real.exit === 0, judge.exit === 0];
    const isCutOff = [...judge.ran].some((test) => !real.ran.has(test));
    const verdict = verdictOf({ passed, judgePasses, isCutOff, isCalm: calm.exit === 0 });
    return { verdict, exits: [real.exit, judge.exit], judgePasses, printed: real.printed };
  } finally {
    bench.end();
    await bench.forget();
  }
}

interface Compared {
  readonly passed: boolean;
  readonly judgePasses: boolean;
  /** A test that the judge ran was not run. */
  readonly isCutOff: boolean;
  /** The run before ended with 0. */
  readonly isCalm: boolean;
}

/** Where something was cut off nobody demands that failures are ignored; nor where no run of the job ended with 0. */
function verdictOf({ passed, judgePasses, isCutOff, isCalm }: Compared): Verdict {
  if (passed !== judgePasses && passed) return 'wrong';
  if (passed === judgePasses) return 'right';
  if (isCutOff) return 'cut off';
  return isCalm ? 'held' : 'no run before';
}
