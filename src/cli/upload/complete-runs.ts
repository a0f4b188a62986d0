/** The lines by which the output of a runner shows whether a run had all of its tests. */
interface RunLines {
  /** Begins a run. Without it, each line of `ends` is a run. */
  readonly begins?: RegExp;
  /** Whether the line ends a run, and whether the run then had all tests; undefined: neither. */
  readonly ends: (line: string, progress: Progress) => boolean | undefined;
}

/** The numbers of the last progress line of a run: `3/5`. */
interface Progress {
  done: number;
  all: number;
}

/**
 * The runners that count the tests that a limit of failures leaves out, or say that there are such tests. The words of
 * those that say so are in `NOT_RUN` and in the counts of `CountedRuns`.
 */
const RUNNERS: Readonly<Record<string, RunLines>> = {
  CTest: {
    begins: /^Test project \S/,
    // The lines of a run count from 1 to the number of its tests. A test that prints such a line cannot hide that its
    // run stopped, unless it prints all missing lines.
    ends: (line, progress) => {
      const [, done, all] = /^ *(\d+)\/(\d+) Test +#\d+: /.exec(line) ?? [];
      if (done === undefined) return undefined;
      const isNext = Number(done) === progress.done + 1 && (progress.done === 0 || Number(all) === progress.all);
      Object.assign(progress, { done: isNext ? Number(done) : Number.NaN, all: Number(all) });
      return progress.done === progress.all ? true : undefined;
    },
  },
  PHPUnit: {
    begins: /^PHPUnit \d+\.\d+\S* by Sebastian Bergmann/,
    // Messages of failures come below the time.
    ends: (line, progress) => {
      if (/^Time: /.test(line)) progress.done = Number.NaN;
      if (Number.isNaN(progress.done)) return undefined;
      return /^[.A-Z]+ +(\d+) \/ \1 \(100%\)/.test(line) ? true : undefined;
    },
  },
  Jest: {
    ends: (line) => (/^Test Suites: +\d.* total$/.test(line) ? !/\d+ of \d+ total$/.test(line) : undefined),
  },
  // These runners list or count the tests that they left out, and `OutputWatch` finds such lines. Vitest may call a file
  // skipped that it left out.
  Vitest: {
    ends: (line) => (/^\s*(?:Test Files| +Tests) {2}\d.* \(\d+\)$/.test(line) ? !/\d skipped\b/.test(line) : undefined),
  },
  Robot: { ends: (line) => (/^\d+ tests?, \d+ passed, \d+ failed(?:, \d+ skipped)?$/.test(line) ? true : undefined) },
};

/** Finds out from the output whether every run had all of its tests, although a limit of failures was reached. */
export class CompleteRuns {
  private readonly runs: { readonly runner: string; readonly progress: Progress; isComplete: boolean }[] = [];

  read(line: string): void {
    for (const [runner, { begins, ends }] of Object.entries(RUNNERS)) {
      if (begins?.test(line) ?? false) return this.begin(runner);
      const run = begins === undefined ? undefined : this.runs.findLast((one) => one.runner === runner);
      if (begins !== undefined && run === undefined) continue;
      const isComplete = ends(line, run?.progress ?? { done: 0, all: 0 });
      if (isComplete === undefined) continue;
      if (run === undefined) this.begin(runner);
      this.runs.findLast((one) => one.runner === runner)!.isComplete = isComplete;
      return;
    }
  }

  /**
   * Whether all runs in the output had all of their tests.
   * @param counted the runners whose counts are in the output
   */
  areAll(counted: readonly string[]): boolean {
    const known = new Set(this.runs.map(({ runner }) => runner));
    return (
      this.runs.length > 0 && this.runs.every(({ isComplete }) => isComplete) && counted.every((one) => known.has(one))
    );
  }

  private begin(runner: string): void {
    this.runs.push({ runner, progress: { done: 0, all: 0 }, isComplete: false });
  }
}
