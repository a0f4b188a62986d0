import { branchesInWords, selectsRun } from './branches';
import type { CommitOutcome } from './commits';
import { DAY_MS } from './days';
import type { TestFacts } from './facts';
import { type Counts, type FailureStreak, type LineHistory, readLine, type StreakLimits } from './failure-streaks';
import { isAtOnce, type ReadLine, singleFailures } from './single-failures';
import { MOST_EVIDENCE, type MonitorEvaluation } from './monitor-evaluation';
import {
  type ConsecutiveFailuresMonitor,
  type LineMonitor,
  MAX_WINDOW_DAYS,
  type Monitor,
  type TransitionsMonitor,
} from './settings';
import { countInWords, shortCommit } from './wording';

/**
 * A flaky test has recovered when its number of passes in a row would be chance only once in a thousand times, given
 * its failure rate.
 */
const QUIET = Math.log(1_000);

const DEFAULT_LIMITS: StreakLimits = { threshold: 3, flakyThreshold: 8 };

/**
 * Monitors of type transitions exclude failures of broken tests, so they use the limits of the monitor for broken
 * tests.
 */
export function streakLimitsOf(monitors: readonly Monitor[]): StreakLimits {
  return monitors.find((monitor) => monitor.type === 'consecutive_failures') ?? DEFAULT_LIMITS;
}

/** The histories of the test on the lines that the monitor selects. */
function linesOf(monitor: LineMonitor, { lines }: TestFacts, limits: StreakLimits): ReadLine[] {
  const selects = selectsRun(monitor.branches);
  const commitsOfLines = lines.map((all) => all.filter(({ run }) => selects(run)));
  const histories = commitsOfLines.map((commits) => readLine(commits, limits));
  const breaks = histories.flatMap(({ streaks }) => streaks.filter(({ isBreak }) => isBreak));
  return commitsOfLines.map((commits, line) => {
    const own = histories[line]!;
    const others = histories.filter((history) => history !== own);
    const elsewhere = byChance(others, breaks);
    return { commits, history: elsewhere.failed === 0 ? own : readLine(commits, limits, elsewhere) };
  });
}

/**
 * How often the test ran, and how often it failed by chance. A failure on one line is not chance while the test is
 * broken on another line.
 */
function byChance(histories: readonly LineHistory[], breaks: readonly FailureStreak[]): Counts {
  let [ran, failed] = [0, 0];
  for (const history of histories) {
    const explained = history.streaks.filter((one) => !one.isBreak && breaks.some((other) => isAtOnce(one, other)));
    const failures = explained.reduce((sum, one) => sum + one.failures.length, 0);
    ran += history.ran;
    failed += Math.max(history.failed - failures, 0);
  }
  return { ran, failed };
}

export function evaluateStreaks(monitor: ConsecutiveFailuresMonitor, facts: TestFacts): MonitorEvaluation {
  const broken = linesOf(monitor, facts, monitor).flatMap(({ history: { isBroken, streaks } }) =>
    isBroken ? [streaks.at(-1)!.failures] : [],
  );
  const [longest] = broken.sort((a, b) => b.length - a.length || a[0]!.at.getTime() - b[0]!.at.getTime());
  if (!longest) {
    const reason = `passed again on ${commitsInRow(monitor.threshold, '')}, or did not run for ${MAX_WINDOW_DAYS} days`;
    return { type: 'inactive', reason };
  }
  const last = longest.at(-1)!;
  const { commit, line } = longest[0]!.run;
  return {
    type: 'active',
    reason: `failed on ${commitsInRow(longest.length, ` of ${line}`)}, first on ${shortCommit(commit)}`,
    lookAgainAt: new Date(last.at.getTime() + MAX_WINDOW_DAYS * DAY_MS),
    endsWith: `it has passed on ${commitsInRow(monitor.threshold, ` of ${line}`)}`,
    isFromPullRequests: false,
    evidence: resultsOf([longest[0]!, ...longest.slice(1).slice(1 - MOST_EVIDENCE)]),
  };
}

export function evaluateTransitions(
  monitor: TransitionsMonitor,
  facts: TestFacts,
  limits: StreakLimits,
  now: Date,
): MonitorEvaluation {
  const after = now.getTime() - monitor.windowDays * DAY_MS;
  const lines = linesOf(monitor, facts, limits);
  const failures = singleFailures(lines)
    .filter(({ at }) => at.getTime() > after)
    .sort((a, b) => b.at.getTime() - a.at.getTime());
  const ran = lines.reduce((sum, { history }) => sum + history.ran, 0);
  const ending = failures[monitor.threshold - 1];
  const where = `${branchesInWords(monitor.branches)} in ${countInWords(monitor.windowDays, 'day')}`;
  if (!ending || ran < monitor.minimumRuns || lines.every(({ history }) => isQuiet(history))) {
    return { type: 'inactive', reason: `no longer fails on single commits${where}` };
  }
  const times = countInWords(failures.length, 'time');
  return {
    type: 'active',
    reason: `failed on one commit and passed on the next, ${times}${where}, last on ${shortCommit(failures[0]!.run.commit)}`,
    lookAgainAt: new Date(ending.at.getTime() + monitor.windowDays * DAY_MS),
    endsWith: 'it has passed more often in a row than its old failure rate makes likely',
    isFromPullRequests: false,
    evidence: resultsOf(failures.slice(0, MOST_EVIDENCE).toReversed()),
  };
}

function isQuiet({ ran, failed, cleanInRow }: LineHistory): boolean {
  const before = Math.max(ran - cleanInRow, 1);
  return cleanInRow * (failed / before) >= QUIET;
}

function resultsOf(commits: readonly CommitOutcome[]) {
  return commits.map(({ result }) => result);
}

/** `of`: the line in words, such as ` of main`. */
function commitsInRow(count: number, of: string): string {
  return count === 1 ? `1 commit${of}` : `${count} commits${of} in a row`;
}
