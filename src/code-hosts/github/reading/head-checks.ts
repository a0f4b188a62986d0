import type { CommitState, StatusReport, UnmetDemand } from '../../../domain/code-host.port';
import type { DemandedCheck } from './branch-rules';

type Result = 'passed' | 'failed' | 'running';
type HeadReport = Pick<StatusReport, 'name' | 'state' | 'app'>;

const PASSED: readonly CommitState[] = ['success', 'neutral', 'skipped'];

/**
 * The demanded checks that have not passed. `commit`: how the texts name the commit. A check that is pinned to an app
 * counts only from that app.
 */
export function unmetChecks(
  checks: readonly DemandedCheck[],
  reports: readonly HeadReport[],
  commit: string,
): readonly UnmetDemand[] {
  const counting = reports.filter(({ state }) => state !== 'superseded');
  const all = checks.map((check): [string, Result | 'missing'] => [check.name, standing(check, counting)]);
  const worst = new Map<string, Result | 'missing'>();
  for (const [name, result] of all) if (worst.get(name) !== 'failed' && result !== 'passed') worst.set(name, result);
  return [...worst].map(([name, result]) => {
    const words = `the check "${name}" on ${commit} (${WORDS[result]})`;
    if (result === 'failed') return { words };
    return { words, isPending: true, ...(result === 'running' && { isRunning: true }) };
  });
}

const WORDS: Readonly<Record<Result | 'missing', string>> = {
  passed: 'passed',
  failed: 'failed',
  running: 'still running',
  missing: 'not reported yet',
};

function standing({ name, appId }: DemandedCheck, reports: readonly HeadReport[]): Result | 'missing' {
  const counting = reports.filter((report) => report.name === name && (appId === null || report.app === String(appId)));
  if (counting.length === 0) return 'missing';
  const results = counting.map(({ state }) => resultOf(state));
  if (results.includes('failed')) return 'failed';
  return results.includes('running') ? 'running' : 'passed';
}

function resultOf(state: CommitState): Result {
  if (PASSED.includes(state)) return 'passed';
  return state === 'pending' ? 'running' : 'failed';
}
