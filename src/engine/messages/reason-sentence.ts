import type { Actor, StateReason } from '../vocabulary';
import { plain, type Quote } from '../wording/markdown';
import { counted, pullRequests } from '../wording/words';

/** Facts that a sentence can name. For an absent fact the sentence uses general words. */
export interface ReasonFacts {
  readonly branch?: string;
  readonly host?: string;
  readonly actor?: Actor;
  /** Numbers of the pull requests that caused the change. */
  readonly others?: readonly number[];
  readonly notReadyHours?: number;
  /** Why the queue replaced a test run. */
  readonly rebuilt?: 'flaky_tests' | 'changed';
}

/** The facts as words that fit into the sentences. */
interface Words {
  readonly branch: string;
  readonly host: string;
  readonly by: (otherwise: string) => string;
  readonly others: (one: string, several: string) => string;
  readonly length: string;
  readonly rebuilt: string;
}

type Sentence = (words: Words) => string;

const AGAIN = 'it is tested again, because';

/**
 * The one sentence of each reason, as a clause without a capital and a full stop. Comment, status check, page, CLI and
 * API add details and a fix, but never explain a reason in other words. No clause begins with a name, so each can be
 * capitalised.
 */
const SENTENCES: { readonly [Reason in StateReason]: Sentence } = {
  merge_item_now_ready: () => 'it is ready and waits for a test run',
  tests_restarted_by_user: ({ by }) => `a new test run was requested by ${by('a person')}`,
  tests_restarted_by_api_request: ({ by }) => `a new test run was requested by ${by('an API client')}`,
  manual_push_to_target_branch: ({ branch }) => `${AGAIN} a change to ${branch} bypassed the queue`,
  prerequisite_merge_item_failed: ({ others }) => `${AGAIN} ${others('failed', 'failed')}`,
  prerequisite_merge_item_cancelled: ({ others }) =>
    `${AGAIN} ${others('was removed from the queue', 'were removed from the queue')}`,
  prerequisite_merge_item_manually_merged: ({ others }) =>
    `${AGAIN} ${others('was merged manually', 'were merged manually')}`,
  skip_the_line_interrupted: () => `${AGAIN} an urgent pull request is tested first`,
  bisection_required: () => 'a test run that included it failed: bisection decides whether it is to blame',
  bisection_test_run_passed: () => 'it passed in bisection, and waits for a test run that can merge it',
  rebuild_required: ({ rebuilt }) => `${AGAIN} ${rebuilt}`,

  test_run_required_status_failed: () => 'a required status failed',
  test_run_timeout: () => 'a required status did not pass in time',
  test_run_failed_by_optimization: () => 'the same tree already failed its tests, so it was not tested again',
  start_test_run_merge_conflict: () => 'it has a merge conflict',
  start_test_run_no_required_statuses: () => 'no required status is configured',
  start_test_run_config_parsing_failure: ({ branch }) =>
    `its change makes the configuration file of ${branch} unreadable`,
  start_test_run_config_bad_required_statuses: ({ branch }) =>
    `its change makes the required statuses in the configuration file of ${branch} invalid`,
  start_test_run_refused: () => 'its test commit or testing branch was refused',
  start_test_run_retry_exhausted: () => 'its test could not be started after repeated attempts',
  pr_updated_at_merge_time: () => 'new commits were pushed while it was being merged',
  host_merge_failed: ({ host }) => `its tests passed, but ${host} refused to merge it`,
  host_branch_protection_unmet: ({ branch }) => `its tests passed, but a branch rule of ${branch} forbids the merge`,

  user_requested: ({ by }) => `cancelled by ${by('a person')}`,
  api_requested: ({ by }) => `cancelled by ${by('an API client')}`,
  pr_closed: () => 'it was closed',
  pr_pushed_to: () => 'new commits were pushed while it was in the queue',
  pr_base_branch_changed: ({ branch }) => `its base branch was changed, and is not ${branch}`,
  pr_converted_to_draft: () => 'it was converted to a draft',
  pr_merged_into_other_branch: ({ branch }) => `it was merged into a branch other than ${branch}`,
  not_ready_timeout_expired: ({ length }) => `it was not ready for ${length}`,
  nothing_to_merge: ({ branch }) => `there is nothing to merge, because ${branch} already has all its changes`,
  target_set_back: ({ branch }) => `it was merged, and then ${branch} was reset to a commit before that merge`,
  dry_run_passed: () => 'its dry run passed, so it was not merged',

  readiness_lost: () => 'it is not ready, and waits until it is ready again',
  test_run_passed: () => 'its test run passed',
  successor_test_run_passed: () => 'a later test run that includes it passed',
  passed_by_optimization: () => 'the same tree already passed its tests, so it was not tested again',

  merge_graph_merge: ({ branch }) => `the queue merged it into ${branch}`,
  merge_graph_direct_merge: ({ branch }) =>
    `its own tests had passed on top of the target branch, so the queue merged it directly into ${branch}`,
  manual_merge: ({ branch }) => `it was merged into ${branch} manually, bypassing the queue`,
};

export const REASONS = Object.keys(SENTENCES) as readonly StateReason[];

/** The clause of a reason. `quote`: how the names in it are shown. */
export function reasonSentence(reason: StateReason, facts: ReasonFacts = {}, quote: Quote = plain): string {
  return SENTENCES[reason](wordsFor(facts, quote));
}

function wordsFor({ branch, host, actor, others = [], notReadyHours, rebuilt }: ReasonFacts, quote: Quote): Words {
  return {
    branch: branch === undefined ? 'the target branch' : quote(branch),
    host: host === undefined ? 'the code host' : quote(host),
    by: (otherwise) => (actor == null ? otherwise : quote(actor)),
    others: (one, several) =>
      others.length === 0
        ? `a pull request tested with it ${one}`
        : `${pullRequests(others)} ${others.length === 1 ? one : several}`,
    length: notReadyHours === undefined ? 'too long' : counted(notReadyHours, 'hour'),
    rebuilt: REBUILT[rebuilt ?? 'unknown'],
  };
}

const REBUILT = {
  flaky_tests: 'only known flaky tests failed',
  changed: 'the pull requests tested with it changed',
  unknown: 'the pull requests tested with it changed, or CI gave no result',
} as const;
