import type { UnmetDemand } from '../../../domain/code-host.port';
import { listAt, numberAt, textAt } from '../client/reading';
import type { DemandedCheck } from './branch-rules';
import { checkRunIn, statusIn } from './statuses';

type Result = 'passed' | 'failed' | 'running';

export interface HeadReport {
  readonly name: string;
  readonly result: Result;
  /** Null: GitHub does not name it. */
  readonly appId: number | null;
  readonly isByBot: boolean;
}

const PASSED = ['success', 'neutral', 'skipped'];

/** The newest reports of a commit, as the lists of statuses and check runs show them. */
export function headReportsIn(statuses: readonly unknown[], checkRuns: readonly unknown[]): readonly HeadReport[] {
  const runs = checkRuns.flatMap((body): HeadReport[] => {
    const report = checkRunIn(body, '');
    if (report === null) return [];
    return [{ name: report.name, result: resultOf(report.state), appId: numberAt(body, 'app', 'id'), isByBot: true }];
  });
  const others = statuses.flatMap((body): HeadReport[] => {
    const report = statusIn(body, '', '');
    if (report === null) return [];
    // The combined status of a commit names no creator, but shows a picture, which for an app is at /in/<id of the app>.
    const app = /\/in\/(\d+)/.exec(textAt(body, 'avatar_url') ?? '')?.[1];
    const isByBot = textAt(body, 'creator', 'type') === 'Bot';
    return [
      { name: report.name, result: resultOf(report.state), appId: app === undefined ? null : Number(app), isByBot },
    ];
  });
  return [...runs, ...others];
}

/** Those of the demanded checks that have not passed. `commit` is how people call it. One that is pinned to an app counts only from that app. */
export function unmetChecks(
  checks: readonly DemandedCheck[],
  reports: readonly HeadReport[],
  commit: string,
): readonly UnmetDemand[] {
  const all = checks.map((check): [string, Result | 'missing'] => [check.name, standing(check, reports)]);
  const worst = new Map<string, Result | 'missing'>();
  for (const [name, result] of all) if (worst.get(name) !== 'failed' && result !== 'passed') worst.set(name, result);
  return [...worst].map(([name, result]) => {
    const words = `the check "${name}" on ${commit} (${WORDS[result]})`;
    return result === 'failed' ? { words } : { words, isPending: true };
  });
}

const WORDS: Readonly<Record<Result | 'missing', string>> = {
  passed: 'passed',
  failed: 'failed',
  running: 'still running',
  missing: 'not reported yet',
};

function standing({ name, appId }: DemandedCheck, reports: readonly HeadReport[]): Result | 'missing' {
  const counting = reports.filter((report) => report.name === name && (appId === null || isFrom(report, appId)));
  if (counting.length === 0) return 'missing';
  if (counting.some(({ result }) => result === 'failed')) return 'failed';
  return counting.every(({ result }) => result === 'passed') ? 'passed' : 'running';
}

/** Where GitHub does not say which app it was, any bot counts, and no person. */
function isFrom(report: HeadReport, appId: number): boolean {
  return report.appId === null ? report.isByBot : report.appId === appId;
}

function resultOf(state: string): Result {
  if (PASSED.includes(state)) return 'passed';
  return state === 'pending' ? 'running' : 'failed';
}

export function itemsOfStatus(body: unknown): readonly unknown[] {
  return listAt(body, 'statuses');
}

export function itemsOfCheckRuns(body: unknown): readonly unknown[] {
  return listAt(body, 'check_runs');
}
