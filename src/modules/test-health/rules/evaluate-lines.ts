import { branchesInWords, selectsRun } from './branches';
import type { CommitOutcome } from './commits';
import { DAY_MS } from './days';
import type { TestFacts } from './facts';
import { type LineHistory, readLine, type StreakLimits } from './failure-streaks';
import { type ReadLine, singleFailures } from './single-failures';
import { MOST_EVIDENCE, type MonitorEvaluation } from './monitor-evaluation';
import {
  type ConsecutiveFailuresMonitor,
  type LineMonitor,
  MAX_WINDOW_DAYS,
  type Monitor,
  type TransitionsMonitor,
} from './settings';
import { countInWords, shortCommit } from './wording';

/** A flaky test has recovered when, at the rate at which it failed, chance alone gives so many passes once in a thousand times. */
const QUIET = Math.log(1_000);

const DEFAULT_LIMITS: StreakLimits = { threshold: 3, flakyThreshold: 8 };

/** What breaks a test is no transition: transitions are read with the limits by which it is broken. */
export function streakLimitsOf(monitors: readonly Monitor[]): StreakLimits {
  return monitors.find((monitor) => monitor.type === 'consecutive_failures') ?? DEFAULT_LIMITS;
}

/** The lines that the monitor looks at. */
function linesOf(monitor: LineMonitor, { lines }: TestFacts, limits: StreakLimits): ReadLine[] {
  const selects = selectsRun(monitor.branches);
  return lines.map((all) => {
    const commits = all.filter(({ run }) => selects(run));
    return { commits, history: readLine(commits, limits) };
  });
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
    reason: `failed on one commit and passed on the next ${times}${where}, last on ${shortCommit(failures[0]!.run.commit)}`,
    lookAgainAt: new Date(ending.at.getTime() + monitor.windowDays * DAY_MS),
    endsWith: 'it has passed so often in a row that it would have failed at its old rate',
    isFromPullRequests: false,
    evidence: resultsOf(failures.slice(0, MOST_EVIDENCE).toReversed()),
  };
}

function isQuiet({ ran, failed, passesInRow }: LineHistory): boolean {
  const before = Math.max(ran - passesInRow, 1);
  return passesInRow * (failed / before) >= QUIET;
}

function resultsOf(commits: readonly CommitOutcome[]) {
  return commits.map(({ result }) => result);
}

/** `of`: such as ` of main`. */
function commitsInRow(count: number, of: string): string {
  return count === 1 ? `1 commit${of}` : `${count} commits${of} in a row`;
}
