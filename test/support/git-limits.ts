import { LISTING_CALL, QUICK_MERGE_CALL } from '../../src/code-hosts/git/commit-limits';
import type { GitLimits } from '../../src/code-hosts/git/git-command';

/**
 * In the calling `describe`, ends git after one CPU second instead of five. Endless work is refused in the same way,
 * and the tests wait less.
 */
export function endGitSooner(): void {
  const limits = [LISTING_CALL, QUICK_MERGE_CALL].flatMap((call) => call.limits ?? []);
  const usual = limits.map(({ cpuSeconds }) => cpuSeconds);
  beforeAll(() => limits.forEach((one) => setCpuSeconds(one, 1)));
  afterAll(() => limits.forEach((one, index) => setCpuSeconds(one, usual[index]!)));
}

function setCpuSeconds(limits: GitLimits, cpuSeconds: number): void {
  Object.assign(limits, { cpuSeconds });
}
