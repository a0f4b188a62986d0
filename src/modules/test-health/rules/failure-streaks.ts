import type { CommitOutcome } from './commits';

/** The number of consecutive failures after which a test is broken. */
export interface StreakLimits {
  /** The limit for a test that seldom failed before. */
  readonly threshold: number;
  /**
   * The limit for a test that nearly always failed before. The more often a test failed, the closer is its limit to
   * this one.
   */
  readonly flakyThreshold: number;
}

/** Consecutive commits on which a test failed. */
export interface FailureStreak {
  readonly failures: readonly CommitOutcome[];
  /** The times of the last pass before the streak and the first pass after it; infinite if there is no such pass. */
  readonly after: number;
  readonly before: number;
  /** Whether the streak was long enough to call the test broken. */
  readonly isBreak: boolean;
}

/** The results of a test on the commits of one line. */
export interface LineHistory {
  /** Oldest first. A broken test must pass several times in a row before its streak ends. */
  readonly streaks: readonly FailureStreak[];
  readonly isBroken: boolean;
  /** The number of latest consecutive commits on which the test passed without a retry. */
  readonly cleanInRow: number;
  /**
   * The number of commits on which the test ran while it was not broken, and on which it failed, with or without a
   * retry.
   */
  readonly ran: number;
  readonly failed: number;
}

/**
 * A test that fails at most this often is broken at `threshold`. A test that fails more often needs more consecutive
 * failures, so that a streak by chance is equally unlikely.
 */
const SELDOM = 0.027;
/** The number of consecutive failures after which a test without a known pass, which may be new, is broken. */
const NEVER_PASSED = 5;

/** Commits on which a test ran, and on which it failed. */
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
  // After more than one failure, the true rate is likely higher than the observed one.
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

  /** A line with few commits says little about chance failures, so results on other lines count too. */
  private limit(): number {
    const everywhere = { ran: this.ran + this.elsewhere.ran, failed: this.failed + this.elsewhere.failed };
    return Math.max(streakLimit(this, this.limits), streakLimit(everywhere, this.limits));
  }

  /**
   * One change may fail many testing runs that are built on each other: the failures of these runs count as one
   * failure.
   */
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
      // The first consecutive failures of a test are more likely a change than chance.
      this.failed += this.failed === 0 ? Math.min(this.streak.length, 1) : this.streak.length;
    }
    this.ran += 1;
    // The latest commit may still wait for its retry, so the rate counts first attempts.
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
