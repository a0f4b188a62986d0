/** The counts in the last line of a runner, as the upload sends them. */
export interface CountedByRunner {
  readonly runner: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** The content of a line: counts, and the number of tests that were not run. */
interface Counted extends CountedByRunner {
  readonly notRun: number;
}

type Reader = (line: string) => Omit<Counted, 'runner'> | null;

/** Names of test counts, which are the same for every runner. */
const OF_TESTS: Readonly<Record<string, string>> = {
  ...{ pass: 'passed', passing: 'passed', successful: 'passed' },
  ...{ fail: 'failed', failing: 'failed', failure: 'failed', failures: 'failed' },
  ...{ error: 'errors', skip: 'skipped', skips: 'skipped', warning: 'warnings', reruns: 'rerun' },
};
/** The names of total counts. */
const TOTALS: ReadonlySet<string> = new Set(['total', 'tests', 'test', 'examples', 'example', 'runs', 'run']);

const read = (parts: readonly string[], prefix = ''): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const part of parts) {
    const [, number, words] = /^(\d+) (.+)$/.exec(part.trim()) ?? [];
    const said = words?.toLowerCase();
    if (said === undefined || TOTALS.has(said)) continue;
    const name = prefix + (OF_TESTS[said] ?? said);
    counts[name] = (counts[name] ?? 0) + Number(number);
  }
  return counts;
};

/** Turns `Failures: 1` into `1 failures`. */
const turned = (text: string): string[] => text.split(', ').map((part) => part.replace(/^(.+): (\d+)$/, '$2 $1'));
const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, n) => sum + n, 0);
const plain = (counts: Record<string, number>) => ({ counts, notRun: 0 });

/**
 * The readers of last lines by runner. The lines have the form that real runners printed: see test/fixtures/runners.
 */
const READERS: Readonly<Record<string, Reader>> = {
  pytest: (line) => {
    const [, body] = /^(?:=+ )?(\d+ [a-z ]+(?:, \d+ [a-z ]+)*) in \d+(?:\.\d+)?s\b/.exec(line) ?? [];
    return body === undefined ? null : plain(read(body.split(', ')));
  },
  Jest: (line) => {
    const [, of, body = ''] = /^(Tests|Snapshots|Test Suites): +(\d+ [a-z].*)$/.exec(line) ?? [];
    if (of === 'Tests') return plain(read(body.split(', ')));
    if (of === 'Snapshots') return plain(read(body.split(', '), 'snapshots '));
    const [, ran, all] = of === undefined ? [] : (/(\d+) of (\d+) total$/.exec(body) ?? []);
    return all === undefined ? null : { counts: {}, notRun: Number(all) - Number(ran) };
  },
  Vitest: (line) => {
    const [, of, body = '', all] = /^\s*(Test Files|Tests|Snapshots) {2}(\d+ .*?)(?: \((\d+)\))?$/.exec(line) ?? [];
    if (of === undefined) return null;
    const counts = read(body.split(' | '), of === 'Snapshots' ? 'snapshots ' : '');
    const notRun = all === undefined ? 0 : Math.max(Number(all) - sumOf(counts), 0);
    return { counts: of === 'Test Files' ? {} : counts, notRun };
  },
  Mocha: (line) => {
    const [, count, name = ''] = /^\s+(\d+) (passing|failing|pending)(?: \(.*\))?$/.exec(line) ?? [];
    return count === undefined ? null : plain(read([`${count} ${name}`]));
  },
  Playwright: (line) => {
    const [, count, name = ''] =
      /^ {2}(\d+) (failed|flaky|skipped|interrupted|passed|did not run)(?: \([\d.]+\w+\))?$/.exec(line) ?? [];
    if (count === undefined) return null;
    return name === 'did not run' ? { counts: {}, notRun: Number(count) } : plain(read([`${count} ${name}`]));
  },
  RSpec: (line) => (/^\d+ examples?, \d+ failures?\b/.test(line) ? plain(read(line.split(', '))) : null),
  Minitest: (line) =>
    /^\d+ (?:runs|tests), \d+ assertions, \d+ failures, /.test(line) ? plain(read(line.split(', '))) : null,
  PHPUnit: (line) => {
    const [, body] = /^(Tests: \d+, Assertions: \d+.*)\.$/.exec(line) ?? [];
    return body === undefined ? null : plain(read(turned(body)));
  },
  gotestsum: (line) => {
    const [, body] = /^DONE (\d+ \w+(?:, \d+ \w+)*)(?: in |$)/.exec(line) ?? [];
    return body === undefined ? null : plain(read(body.split(', ')));
  },
  Surefire: (line) => {
    const [, body] =
      /^\[(?:ERROR|WARNING|INFO)\] Tests (run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+(?:, Flakes: \d+)?)$/.exec(
        line,
      ) ?? [];
    return body === undefined ? null : plain(read(turned(body)));
  },
  JUnit: (line) => {
    const [, count, name = ''] =
      /^\[ {1,9}(\d+) (containers failed|tests (?:skipped|aborted|successful|failed)) *\]$/.exec(line) ?? [];
    return count === undefined
      ? null
      : plain(read([`${count} ${name.replace(/^tests /, '').replace('aborted', 'skipped')}`]));
  },
  Node: (line) => {
    const [, name = '', count] = /^[ℹ#] (pass|fail|cancelled|skipped|todo) +(\d+)$/.exec(line) ?? [];
    if (count === undefined) return null;
    return name === 'cancelled' ? { counts: {}, notRun: Number(count) } : plain(read([`${count} ${name}`]));
  },
  bats: (line) => {
    const [, body] = /^(\d+ tests?, \d+ failures?(?:, \d+ (?:skipped|not run))*)$/.exec(line) ?? [];
    if (body === undefined) return null;
    const { 'not run': notRun = 0, ...counts } = read(body.split(', '));
    return { counts, notRun };
  },
  // This form comes from the documentation, because Cypress could not run on the machines that recorded the other
  // runners.
  Cypress: (line) => {
    const [, count] = /^\s*│\s*Skipped:\s+(\d+)\s*│$/.exec(line) ?? [];
    return count === undefined ? null : { counts: {}, notRun: Number(count) };
  },
};

/**
 * Runners that never count more failures than their reports have: such a runner counts a failed test once, and its
 * report may list the test several times.
 */
const COUNTS_LIKE_REPORTS: ReadonlySet<string> = new Set([
  ...['pytest', 'Jest', 'Vitest', 'Mocha', 'Playwright', 'RSpec', 'Minitest', 'PHPUnit', 'JUnit'],
]);

/** The counts of all runners in an output. */
export class CountedRuns {
  private readonly byRunner = new Map<string, Record<string, number>>();
  private skipped: { readonly runner: string; readonly count: number } | undefined;

  read(line: string): void {
    for (const [runner, reader] of Object.entries(READERS)) {
      const found = reader(line);
      if (found === null) continue;
      const counts = this.byRunner.get(runner) ?? {};
      for (const [name, count] of Object.entries(found.counts)) counts[name] = (counts[name] ?? 0) + count;
      this.byRunner.set(runner, counts);
      if (found.notRun > 0) this.skipped ??= { runner, count: found.notRun };
      return;
    }
  }

  get all(): readonly CountedByRunner[] {
    return [...this.byRunner]
      .map(([runner, counts]) => ({ runner, counts }))
      .filter(({ counts }) => Object.keys(counts).length > 0);
  }

  /** The number of tests, or test files, that were not run because of a failure. */
  get notRun(): { readonly runner: string; readonly count: number } | undefined {
    return this.skipped;
  }

  /** The first runner that counts more failures than the reports have (`failed`). */
  moreThan(failed: number): { readonly runner: string; readonly count: number } | undefined {
    for (const [runner, { failed: tests = 0, errors = 0 }] of this.byRunner) {
      const count = tests + errors;
      if (COUNTS_LIKE_REPORTS.has(runner) && count > failed) return { runner, count };
    }
    return undefined;
  }

  /** The number of failures that Mocha counts; undefined: Mocha did not run, or no test failed. */
  get failuresOfMocha(): number | undefined {
    return this.byRunner.get('Mocha')?.failed;
  }
}
