import type { Change, SearchEnd } from '../../../src/engine/changes';
import { STEPS } from '../../../src/engine/decide';
import { FLOW_STEPS } from '../../../src/engine/flow/flow-steps';
import type { StateReason } from '../../../src/engine/vocabulary';
import type { Deed, NoisePlan } from './plan';
import type { OTHERS, Tally } from './tally';

type RunEnd = Extract<Change, { type: 'runEnded' }>['because'];
type LandingEnd = Extract<Change, { type: 'landingSettled' }>['outcome'];

/** With `fires`, the reason must occur within many days. Any other text says why the engine never gives this reason. */
type Expected<Reason extends string> = Record<Reason, string>;

const FIRES = 'fires';
const OF_ENTRIES = 'a reason of an entry that no test run ends for';

const REASONS: Expected<StateReason> = {
  merge_item_now_ready: FIRES,
  tests_restarted_by_user: FIRES,
  tests_restarted_by_api_request: FIRES,
  manual_push_to_target_branch: FIRES,
  prerequisite_merge_item_failed: FIRES,
  prerequisite_merge_item_cancelled: FIRES,
  prerequisite_merge_item_manually_merged: FIRES,
  skip_the_line_interrupted: FIRES,
  bisection_required: FIRES,
  bisection_test_run_passed: FIRES,
  rebuild_required: FIRES,
  start_test_run_merge_conflict: FIRES,
  start_test_run_no_required_statuses: FIRES,
  start_test_run_config_parsing_failure: FIRES,
  start_test_run_config_bad_required_statuses: FIRES,
  start_test_run_refused: FIRES,
  start_test_run_retry_exhausted: FIRES,
  test_run_required_status_failed: FIRES,
  test_run_timeout: FIRES,
  test_run_failed_by_optimization: FIRES,
  pr_updated_at_merge_time: FIRES,
  host_merge_failed: FIRES,
  host_branch_protection_unmet: FIRES,
  user_requested: FIRES,
  api_requested: FIRES,
  pr_closed: FIRES,
  pr_pushed_to: FIRES,
  pr_base_branch_changed: FIRES,
  pr_converted_to_draft: FIRES,
  pr_merged_into_other_branch: FIRES,
  not_ready_timeout_expired: FIRES,
  merge_graph_merge: FIRES,
  merge_graph_direct_merge: FIRES,
  manual_merge: FIRES,
  readiness_lost: FIRES,
  test_run_passed: FIRES,
  successor_test_run_passed: FIRES,
  passed_by_optimization: FIRES,
  target_set_back: 'nobody sets the target back in these days',
  nothing_to_merge: FIRES,
  dry_run_passed: FIRES,
};

const SEARCH_ENDS: Expected<SearchEnd> = {
  culprit_found: FIRES,
  culprit_passed: FIRES,
  culprit_failed: FIRES,
  batch_passed: FIRES,
  target_red: FIRES,
  member_left: FIRES,
  mode_switched: FIRES,
};

const RUN_ENDS: Expected<RunEnd> = {
  landed: FIRES,
  blamed: FIRES,
  start_refused: FIRES,
  search_answered: FIRES,
  not_direct: FIRES,
  target_judged: FIRES,
  tests_restarted_by_user: FIRES,
  tests_restarted_by_api_request: FIRES,
  manual_push_to_target_branch: FIRES,
  prerequisite_merge_item_failed: FIRES,
  prerequisite_merge_item_cancelled: FIRES,
  prerequisite_merge_item_manually_merged: FIRES,
  skip_the_line_interrupted: FIRES,
  bisection_required: FIRES,
  rebuild_required: FIRES,
  readiness_lost: FIRES,
  start_test_run_merge_conflict: FIRES,
  start_test_run_no_required_statuses: FIRES,
  start_test_run_config_parsing_failure: FIRES,
  start_test_run_config_bad_required_statuses: FIRES,
  start_test_run_refused: FIRES,
  start_test_run_retry_exhausted: FIRES,
  pr_updated_at_merge_time: FIRES,
  host_merge_failed: FIRES,
  host_branch_protection_unmet: FIRES,
  merge_item_now_ready: OF_ENTRIES,
  bisection_test_run_passed: OF_ENTRIES,
  test_run_required_status_failed: OF_ENTRIES,
  test_run_timeout: OF_ENTRIES,
  test_run_failed_by_optimization: OF_ENTRIES,
  user_requested: OF_ENTRIES,
  api_requested: OF_ENTRIES,
  pr_closed: OF_ENTRIES,
  pr_pushed_to: OF_ENTRIES,
  pr_base_branch_changed: OF_ENTRIES,
  pr_converted_to_draft: OF_ENTRIES,
  pr_merged_into_other_branch: OF_ENTRIES,
  not_ready_timeout_expired: OF_ENTRIES,
  merge_graph_merge: OF_ENTRIES,
  merge_graph_direct_merge: OF_ENTRIES,
  manual_merge: OF_ENTRIES,
  test_run_passed: OF_ENTRIES,
  successor_test_run_passed: OF_ENTRIES,
  passed_by_optimization: OF_ENTRIES,
  target_set_back: OF_ENTRIES,
  nothing_to_merge: OF_ENTRIES,
  dry_run_passed: FIRES,
};

const LANDING_ENDS: Expected<LandingEnd> = {
  landed: FIRES,
  landed_partly: FIRES,
  target_moved: FIRES,
  target_gone: FIRES,
  head_moved: FIRES,
  pull_request_changed: FIRES,
  not_yet: FIRES,
  too_late: FIRES,
  host_refused: FIRES,
  tree_differs: FIRES,
  not_direct: FIRES,
};

const CHANGES: Expected<(typeof OTHERS)[number]> = {
  entryAcquitted: FIRES,
  queueDeleted: FIRES,
  runLost: FIRES,
  runFoundRed: FIRES,
  runSuspected: FIRES,
  configFoundUnreadable: FIRES,
};

const DEEDS: Expected<Deed['type']> = {
  stack: FIRES,
  depend: FIRES,
  promote: FIRES,
  cancelAll: FIRES,
  submit: FIRES,
  comment: FIRES,
  cancel: FIRES,
  restart: FIRES,
  push: FIRES,
  close: FIRES,
  reopen: FIRES,
  draft: FIRES,
  undraft: FIRES,
  aimElsewhere: FIRES,
  aimBack: FIRES,
  redirect: FIRES,
  mergeByHand: FIRES,
  mergeElsewhere: FIRES,
  vanish: FIRES,
  refuse: FIRES,
  forbid: FIRES,
  delay: FIRES,
  allow: FIRES,
  withdraw: FIRES,
  expectCheck: FIRES,
  approve: FIRES,
  mergeability: FIRES,
  targets: FIRES,
  pushToTarget: FIRES,
  settings: FIRES,
  mode: FIRES,
  scheduling: FIRES,
  state: FIRES,
  deleteQueue: FIRES,
  createQueue: FIRES,
  configFile: FIRES,
  hostOutage: FIRES,
  stopService: FIRES,
  changeConfig: FIRES,
};

const MISHAPS: Expected<keyof NoisePlan> = {
  redForNothing: FIRES,
  greenForNothing: FIRES,
  redAfterGreen: FIRES,
  greenAfterRed: FIRES,
  silent: FIRES,
  cancelled: FIRES,
  uploadLate: FIRES,
  uploadLost: FIRES,
  redLikeFlake: FIRES,
  neverReported: FIRES,
  reportedLate: FIRES,
  reportedTwice: FIRES,
  eventLost: FIRES,
  eventLate: FIRES,
  crashBefore: FIRES,
  crashAfter: FIRES,
  outcomeTwice: FIRES,
  decisionLost: FIRES,
  baseGone: FIRES,
  givenUp: FIRES,
  entryRefused: FIRES,
  treeDiffers: FIRES,
  targetGone: FIRES,
  refusedMidway: FIRES,
  leftOut: FIRES,
  pushedBeneath: FIRES,
  otherProcess: FIRES,
  rateLimited: FIRES,
  turnedAside: FIRES,
};

/** The expected names that never occurred in a tally, and the names that occurred although they never should. */
export function surprises(tally: Tally): readonly string[] {
  const steps = Object.fromEntries([...STEPS, ...FLOW_STEPS].map((step) => [step.name, FIRES]));
  return [
    ...among('step', steps, tally.steps),
    ...among('reason', REASONS, tally.reasons),
    ...among('end of a search', SEARCH_ENDS, tally.searchEnds),
    ...among('end of a run', RUN_ENDS, tally.runEnds),
    ...among('end of a landing', LANDING_ENDS, tally.landings),
    ...among('change', CHANGES, tally.others),
    ...among('deed', DEEDS, tally.deeds),
    ...among('mishap', MISHAPS, tally.mishaps),
  ];
}

function among(what: string, expected: Record<string, string>, counts: Record<string, number>): readonly string[] {
  return Object.entries(expected).flatMap(([name, expectation]) => {
    const times = counts[name] ?? 0;
    if (expectation === FIRES) return times > 0 ? [] : [`the ${what} ${name} never fired`];
    return times > 0 ? [`the ${what} ${name} fired, although it never should: ${expectation}`] : [];
  });
}
