import type { CommitOutcome } from './commits';

/** After how many failures in a row a test is broken. */
export interface StreakLimits {
  /** For a test that seldom failed before. */
  readonly threshold: number;
  /** For a test that often did; the more often, the nearer to this. */
  readonly flakyThreshold: number;
}

/** Commits in a row on which a test failed. */
export interface FailureStreak {
  readonly failures: readonly CommitOutcome[];
  /** The times of the passes before and after it; endless where there is none. */
  readonly after: number;
  readonly before: number;
  /** Whether it was long enough to say that the test was broken. */
  readonly isBreak: boolean;
}

/** What a test did on the commits of one line. */
export interface LineHistory {
  /** Oldest first. A test that is broken passes several times in a row before its streak ends. */
  readonly streaks: readonly FailureStreak[];
  readonly isBroken: boolean;
  /** Commits in a row on which it passed last, without a retry. */
  readonly cleanInRow: number;
  /** Commits on which it ran while it was not broken, and on which it failed then, a retry or not. */
  readonly ran: number;
  readonly failed: number;
}

/**
 * A test that fails this seldom is broken at `threshold`. One that fails more often needs more failures in a row, so that chance
 * alone makes them equally unlikely.
 */
const SELDOM = 0.027;
/** A test of which no pass is known: it may be new. */
const NEVER_PASSED = 5;

/** On how many commits a test ran, and failed. */
export interface Counts {
  readonly ran: number;
  readonly failed: number;
}

const NOTHING: Counts = { ran: 0, failed: 0 };

/** Reads the commits of one line in order. `elsewhere`: the same test on other lines, or under other conditions. */
export function readLine(
  commits: readonly CommitOutcome[],
  limits: StreakLimits,
  elsewhere: Counts = NOTHING,
): LineHistory {
  const line = new LineReader(limits, elsewhere);
  for (const commit of commits) line.add(commit);
  return line.history();
}

export function streakLimit({ ran, failed }: Counts, { threshold, flakyThreshold }: StreakLimits): number {
  // What failed more than once is likely to fail more often than was seen yet.
  const rate = (failed <= 1 ? failed + 1 : failed + 2) / (ran + 2);
  const needed = ran === failed ? NEVER_PASSED : Math.ceil((threshold * Math.log(SELDOM)) / Math.log(rate));
  return Math.max(threshold, Math.min(needed, flakyThreshold));
}

class LineReader {
  private readonly streaks: FailureStreak[] = [];
  ran = 0;
  failed = 0;
  private isBroken = false;
  private passesInRow = 0;
  private cleanInRow = 0;
  private lastPassAt = -Infinity;
  private streak: CommitOutcome[] = [];
  private streakAfter = -Infinity;
  private independent = 0;
  private readonly blamed = new Set<string>();

  constructor(
    private readonly limits: StreakLimits,
    private readonly elsewhere: Counts,
  ) {}

  add(commit: CommitOutcome): void {
    if (commit.outcome === 'failed') this.addFailure(commit);
    else this.addPass(commit);
  }

  history(): LineHistory {
    const { isBroken, cleanInRow, ran, failed } = this;
    const streaks = this.streak.length === 0 ? this.streaks : [...this.streaks, this.streakUntil(Infinity)];
    return { streaks, isBroken, cleanInRow, ran, failed };
  }

  private addFailure(commit: CommitOutcome): void {
    this.passesInRow = 0;
    this.cleanInRow = 0;
    if (this.streak.length === 0) this.streakAfter = this.lastPassAt;
    this.streak.push(commit);
    if (this.isIndependent(commit)) this.independent += 1;
    if (this.independent >= this.limit()) this.isBroken = true;
  }

  /** A line of few commits knows little of a test that fails by chance: what it did on others counts, too. */
  private limit(): number {
    const everywhere = { ran: this.ran + this.elsewhere.ran, failed: this.failed + this.elsewhere.failed };
    return Math.max(streakLimit(this, this.limits), streakLimit(everywhere, this.limits));
  }

  /** One change may fail many testing runs that are built on each other: they are one failure. */
  private isIndependent({ run: { changes } }: CommitOutcome): boolean {
    const isKnown = changes.some((change) => this.blamed.has(change));
    for (const change of changes) this.blamed.add(change);
    return !isKnown;
  }

  private addPass({ at: time, wasRetried }: CommitOutcome): void {
    const at = time.getTime();
    this.passesInRow += 1;
    this.cleanInRow = wasRetried ? 0 : this.cleanInRow + 1;
    this.lastPassAt = at;
    if (this.isBroken) {
      if (this.passesInRow >= this.limits.threshold) this.endStreak(at);
      return;
    }
    if (this.ran > this.failed) {
      this.ran += this.streak.length;
      // The first failures of a test in a row are more likely a change than chance.
      this.failed += this.failed === 0 ? Math.min(this.streak.length, 1) : this.streak.length;
    }
    this.ran += 1;
    // The latest commit may still be waiting for its retry, so the rate is that of first attempts.
    if (wasRetried) this.failed += 1;
    if (this.streak.length > 0) this.endStreak(at);
  }

  private endStreak(at: number): void {
    this.streaks.push(this.streakUntil(at));
    this.isBroken = false;
    this.streak = [];
    this.independent = 0;
    this.blamed.clear();
  }

  private streakUntil(before: number): FailureStreak {
    return { failures: this.streak, after: this.streakAfter, before, isBreak: this.isBroken };
  }
}
