import type { CancelledReason, FailedReason, PendingReason } from '../vocabulary';
import { type StoryLine, storySentence } from './story';

const RUN = { number: 42, base: '3f2a1c0d9e8b', own: [7], builtOn: [] };

/** The type makes the compiler require a line here for each reason that the engine knows. */
const BACK: Readonly<Record<PendingReason, string>> = {
  merge_item_now_ready: 'It is ready and waits for a test run.',
  tests_restarted_by_user: 'A new test run was requested by ada.',
  tests_restarted_by_api_request: 'A new test run was requested by ada.',
  manual_push_to_target_branch: 'It is tested again, because a change to main bypassed the queue.',
  prerequisite_merge_item_failed: 'It is tested again, because a pull request tested with it failed.',
  prerequisite_merge_item_cancelled:
    'It is tested again, because a pull request tested with it was removed from the queue.',
  prerequisite_merge_item_manually_merged:
    'It is tested again, because a pull request tested with it was merged manually.',
  skip_the_line_interrupted: 'It is tested again, because an urgent pull request is tested first.',
  bisection_required: 'A test run that included it failed: bisection decides whether it is to blame.',
  bisection_test_run_passed: 'It passed in bisection, and waits for a test run that can merge it.',
  rebuild_required: 'It is tested again, because the pull requests tested with it changed, or CI gave no result.',
};

const FAILED: Readonly<Record<FailedReason, string>> = {
  start_test_run_merge_conflict: 'it has a merge conflict',
  start_test_run_no_required_statuses: 'no required status is configured',
  start_test_run_config_parsing_failure: 'its change makes the configuration file of main unreadable',
  start_test_run_config_bad_required_statuses:
    'its change makes the required statuses in the configuration file of main invalid',
  start_test_run_refused: 'its test commit or testing branch was refused',
  start_test_run_retry_exhausted: 'its test could not be started after repeated attempts',
  test_run_required_status_failed: 'a required status failed',
  test_run_timeout: 'a required status did not pass in time',
  test_run_failed_by_optimization: 'the same tree already failed its tests, so it was not tested again',
  pr_updated_at_merge_time: 'new commits were pushed while it was being merged',
  host_merge_failed: 'its tests passed, but the code host refused to merge it',
  host_branch_protection_unmet: 'its tests passed, but a branch rule of main forbids the merge',
};

const TAKEN_OUT: Readonly<Record<CancelledReason, string>> = {
  user_requested: 'cancelled by ada',
  api_requested: 'cancelled by ada',
  pr_closed: 'it was closed',
  pr_pushed_to: 'new commits were pushed while it was in the queue',
  pr_base_branch_changed: 'its base branch was changed, and is not main',
  pr_converted_to_draft: 'it was converted to a draft',
  pr_merged_into_other_branch: 'it was merged into a branch other than main',
  not_ready_timeout_expired: 'it was not ready for too long',
  nothing_to_merge: 'there is nothing to merge, because main already has all its changes',
  target_set_back: 'it was merged, and then main was reset to a commit before that merge',
  dry_run_passed: 'its dry run passed, so it was not merged',
};

function said(line: Partial<StoryLine>): string {
  return storySentence({
    ...{ type: 'entryMoved', to: 'pending', reason: null, actor: null, number: 7, branch: 'main' },
    ...{ details: null, priority: null, becauseOf: [], run: null },
    ...line,
  });
}

describe('a story line as a sentence', () => {
  it('names the person who submitted or promoted the pull request, or set its priority', () => {
    expect(said({ type: 'entrySubmitted', actor: 'ada' })).toBe('Submitted by ada.');
    expect(said({ type: 'entrySubmitted', to: 'not_ready' })).toBe('Submitted. It is not ready yet.');
    expect(said({ type: 'entryPrioritised', priority: 10, actor: 'ops' })).toBe('Priority set to 10 by ops.');
    expect(said({ type: 'entryPromoted' })).toBe('Moved ahead of all waiting pull requests of the same priority.');
  });

  it('names the base and the other entries of a run', () => {
    expect(said({ to: 'testing', run: RUN })).toBe('Run 42 tests it on main 3f2a1c0d.');
    expect(said({ to: 'testing', run: { ...RUN, own: [7, 8], builtOn: [5] } })).toBe(
      'Run 42 tests it on main 3f2a1c0d in one batch with #8, on top of #5.',
    );
    expect(said({ to: 'testing' })).toBe('Being tested.');
  });

  it('names the one or several entries that caused a wasted test', () => {
    const reason = 'prerequisite_merge_item_manually_merged';
    expect(said({ reason, becauseOf: [5] })).toBe('It is tested again, because #5 was merged manually.');
    expect(said({ reason, becauseOf: [5, 6] })).toBe('It is tested again, because #5, #6 were merged manually.');
    expect(said({ reason: 'prerequisite_merge_item_failed' })).toBe(
      'It is tested again, because a pull request tested with it failed.',
    );
  });

  it('names the deciding run: the own run of the entry, or a later run that contains it', () => {
    expect(said({ to: 'tests_passed', run: RUN })).toBe('Its test run passed (run 42).');
    expect(said({ to: 'tests_passed', run: RUN, reason: 'successor_test_run_passed' })).toBe(
      'A later test run that includes it passed (run 42).',
    );
    expect(said({ to: 'pending_failure', run: RUN })).toBe(
      'Its tests failed (run 42): the pull requests ahead of it may be the cause, so the queue decides later.',
    );
    expect(said({ to: 'failed', run: RUN, reason: 'test_run_required_status_failed' })).toBe(
      'Failed: a required status failed (run 42).',
    );
    expect(said({ to: 'failed', reason: 'test_run_timeout' })).toBe('Failed: a required status did not pass in time.');
  });

  it('says how the entry merged', () => {
    expect(said({ to: 'merged' })).toBe('The queue merged it into main.');
    expect(said({ to: 'merged', reason: 'manual_merge' })).toBe(
      'It was merged into main manually, bypassing the queue.',
    );
    expect(said({ to: 'merged', reason: 'merge_graph_direct_merge' })).toBe(
      'Its own tests had passed on top of the target branch, so the queue merged it directly into main.',
    );
  });

  it('quotes the host or git, for a failure and for a removal', () => {
    const details = 'A review is missing.';
    expect(said({ to: 'failed', reason: 'host_merge_failed', details })).toBe(
      'Failed: its tests passed, but the code host refused to merge it (A review is missing.).',
    );
    expect(said({ to: 'cancelled', reason: 'pr_closed', details: 'by ada' })).toBe(
      'Removed from the queue: it was closed (by ada).',
    );
    expect(said({ to: 'cancelled', reason: 'api_requested', actor: 'ops' })).toBe(
      'Removed from the queue: cancelled by ops.',
    );
  });

  it.each(Object.entries(BACK))('a story line about a wait: %s', (reason, sentence) => {
    expect(said({ to: 'pending', reason: reason as PendingReason, actor: 'ada' })).toBe(sentence);
  });

  it.each(Object.entries(FAILED))('a story line about a failure: %s', (reason, sentence) => {
    expect(said({ to: 'failed', reason: reason as FailedReason, run: RUN })).toBe(`Failed: ${sentence} (run 42).`);
  });

  it.each(Object.entries(TAKEN_OUT))('a story line about a removal: %s', (reason, sentence) => {
    expect(said({ to: 'cancelled', reason: reason as CancelledReason, actor: 'ada' })).toBe(
      `Removed from the queue: ${sentence}.`,
    );
  });
});
