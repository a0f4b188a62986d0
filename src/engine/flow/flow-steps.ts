import type { Step } from '../policy/step-result';
import { checkReadiness, recheckPending } from '../steps/check-readiness';
import { evaluateRuns } from '../steps/evaluate-runs';
import { finishModeSwitch } from '../steps/finish-mode-switch';
import { followPullRequests } from '../steps/follow-pull-requests';
import { testTarget } from '../steps/test-target';
import { concludeDryRun } from './steps/conclude-dry-run';
import { suspectRiders } from './steps/suspect-riders';
import { failRedAlone } from './steps/fail-red-alone';
import { followStandings } from './steps/follow-standings';
import { loseNeeds } from './steps/lose-needs';
import { settlePassedRuns } from './steps/settle-passed-runs';
import { startTest } from './steps/start-test';
import { stopVoidRuns } from './steps/stop-void-runs';
import { takeResults } from './steps/take-results';
import { yieldToUrgent } from './steps/yield-to-urgent';

/**
 * The rules of flow scheduling, in their order. Results are taken one at a time, so `takeResults` stands before
 * `evaluateRuns`, which produces the next result.
 */
export const FLOW_STEPS: readonly Step[] = [
  takeResults,
  suspectRiders,
  followPullRequests,
  loseNeeds,
  checkReadiness,
  recheckPending,
  followStandings,
  evaluateRuns,
  testTarget,
  stopVoidRuns,
  concludeDryRun,
  settlePassedRuns,
  finishModeSwitch,
  failRedAlone,
  yieldToUrgent,
  startTest,
];
