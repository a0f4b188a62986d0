import { planOf } from './plan';
import type { RandomFile, RandomSuite } from './random-suite';
import type { TestRunner } from './runner';
import type { Played, Workbench } from './workbench';

/**
 * `wrong`: Sluice ignored the failures, but the judge failed. `held`: Sluice did not ignore the failures, although the
 * judge passed and no test was cut off. `cut off` and `no run before`: Sluice did not have to ignore the failures,
 * because a test was cut off, or because no run of the job ended with 0.
 */
export type Verdict = 'right' | 'wrong' | 'held' | 'cut off' | 'no run before';

export interface PlayedRun {
  readonly verdict: Verdict;
  /** The exit codes of `sluice upload` and of the judge. */
  readonly exits: readonly [sluice: number, judge: number];
  /** Sluice's explanation of its exit code. */
  readonly because: string;
  /** The output of the runner and of sluice. */
  readonly printed: string;
}

/**
 * Plays a suite without failures, quarantines its tests, and then lets everything in the suite fail. The judge is a run
 * with the same failures, except that quarantined tests pass.
 * @returns one run for each share of the suite, or two runs for a matrix
 */
export async function playSuite(
  bench: Workbench,
  runner: TestRunner,
  suite: RandomSuite,
  { name, folder }: { readonly name: string; readonly folder: string },
): Promise<readonly PlayedRun[]> {
  const { reports } = runner;
  bench.begin({ name, files: runner.filesOf(suite), modules: runner.modulesOf?.(folder), reports });
  try {
    const command = (files: readonly RandomFile[]): readonly string[] => runner.commandOf(suite, files, folder);
    const quarantined = suite.files.flatMap(({ tests }) => tests.filter((test) => test.isQuarantined));
    const names = quarantined.map((test) => test.name);
    return suite.isMatrix
      ? await playMatrix(bench, suite, command(suite.files), names)
      : await playShares(bench, suite, command, names);
  } finally {
    bench.end();
    await bench.forget();
  }
}

async function playShares(
  bench: Workbench,
  suite: RandomSuite,
  command: (files: readonly RandomFile[]) => readonly string[],
  quarantined: readonly string[],
): Promise<readonly PlayedRun[]> {
  const shares = suite.shards.map((files, at) => ({
    command: command(files),
    shard: suite.shards.length === 1 ? undefined : `${at + 1}/${suite.shards.length}`,
  }));
  const calm: Played[] = [];
  bench.nextCommit();
  for (const share of shares) calm.push(await bench.upload(planOf(suite, 'calm'), share));
  await bench.quarantine(quarantined);
  const runs: PlayedRun[] = [];
  bench.nextCommit();
  for (const [at, share] of shares.entries()) {
    const real = await bench.upload(planOf(suite, 'real'), share);
    runs.push(judged(real, bench.run(planOf(suite, 'judge'), share.command), calm[at]!));
  }
  return runs;
}

/**
 * Plays two jobs with the same name. Tests outside quarantine fail in one job and pass in the other, and then the
 * failed job runs again. Sluice quarantines flaky tests automatically here, but a test that fails under one condition
 * only is not flaky.
 */
async function playMatrix(
  bench: Workbench,
  suite: RandomSuite,
  command: readonly string[],
  quarantined: readonly string[],
): Promise<readonly PlayedRun[]> {
  bench.nextCommit();
  const calm = await bench.upload(planOf(suite, 'calm'), { command, attempt: '1' });
  await bench.upload(planOf(suite, 'calm'), { command, attempt: '1' });
  await bench.quarantine(quarantined);
  await bench.quarantinesItself(true);
  bench.nextCommit();
  const first = await bench.upload(planOf(suite, 'real'), { command, attempt: '1' });
  await bench.upload(planOf(suite, 'elsewhere'), { command, attempt: '1' });
  await bench.evaluate();
  const again = await bench.upload(planOf(suite, 'real'), { command, attempt: '2' });
  await bench.quarantinesItself(false);
  const judge = bench.run(planOf(suite, 'judge'), command);
  return [judged(first, judge, calm), judged(again, judge, calm)];
}

function judged(real: Played, judge: Played, calm: Played): PlayedRun {
  const because = real.said.trim().split('\n').at(-1) ?? '';
  const { printed } = real;
  return { verdict: verdictOf(real, judge, calm), exits: [real.exit, judge.exit], because, printed };
}

function verdictOf(real: Played, judge: Played, calm: Played): Verdict {
  if (real.exit === 0 && judge.exit !== 0) return 'wrong';
  if (real.exit === 0 || judge.exit !== 0) return 'right';
  if ([...judge.ran].some((test) => !real.ran.has(test))) return 'cut off';
  return calm.exit === 0 ? 'held' : 'no run before';
}
