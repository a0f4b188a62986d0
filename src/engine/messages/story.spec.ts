import type { CancelledReason, FailedReason, PendingReason } from '../vocabulary';
import { type StoryLine, storySentence } from './story';

const RUN = { number: 42, base: '3f2a1c0d9e8b', own: [7], builtOn: [] };

/** The compiler demands a line for each reason that the engine knows. */
const BACK: Readonly<Record<PendingReason, string>> = {
  merge_item_now_ready: 'Ready: it waits for a test.',
  tests_restarted_by_user: 'ada asked for a new test.',
  tests_restarted_by_api_request: 'ada asked for a new test.',
  manual_push_to_target_branch: 'Tested again: main was changed past the queue.',
  prerequisite_merge_item_failed: 'Tested again: a pull request that it was tested with failed.',
  prerequisite_merge_item_cancelled: 'Tested again: a pull request that it was tested with left the queue.',
  prerequisite_merge_item_manually_merged: 'Tested again: a pull request that it was tested with was merged by hand.',
  skip_the_line_interrupted: 'Tested again: an urgent pull request goes first.',
  bisection_required: 'A test of it was red: the queue finds out whether it is to blame.',
  bisection_test_run_passed: 'Passed in the search for what broke its batch, and goes on.',
  rebuild_required: 'Tested again: what it is tested with has changed, or CI gave no verdict.',
};

const FAILED: Readonly<Record<FailedReason, string>> = {
  start_test_run_merge_conflict: 'it conflicts with what it is tested on',
  start_test_run_no_required_statuses: 'no required status is named',
  start_test_run_config_parsing_failure: 'it breaks the configuration file',
  start_test_run_config_bad_required_statuses: 'it breaks the configuration file',
  start_test_run_refused: 'its test could not be started',
  start_test_run_retry_exhausted: 'its test could not be started',
  test_run_required_status_failed: 'a required status was red in run 42',
  test_run_timeout: 'run 42 did not finish in time',
  test_run_failed_by_optimization: 'what it was tested with says that it is red',
  pr_updated_at_merge_time: 'it was pushed to while it was being merged',
  host_merge_failed: 'its tests passed, and the host refused to merge it',
  host_branch_protection_unmet: 'its tests passed, and the host refused to merge it',
};

const TAKEN_OUT: Readonly<Record<CancelledReason, string>> = {
  user_requested: 'by ada',
  api_requested: 'by ada',
  pr_closed: 'it was closed',
  pr_pushed_to: 'it was pushed to',
  pr_base_branch_changed: 'its base is not main any more',
  pr_converted_to_draft: 'it was made a draft',
  pr_merged_into_other_branch: 'it was merged into another branch',
  not_ready_timeout_expired: 'it was not ready for too long',
  nothing_to_merge: 'main already has all its changes',
  target_set_back: 'main was set back to before its merge',
  dry_run_passed: 'its dry run passed',
};

function said(line: Partial<StoryLine>): string {
  return storySentence({
    ...{ type: 'entryMoved', to: 'pending', reason: null, actor: null, number: 7, branch: 'main' },
    ...{ details: null, priority: null, becauseOf: [], run: null },
    ...line,
  });
}

describe('the sentence of a line of a story', () => {
  it('names who submitted, gave a priority, or put ahead', () => {
    expect(said({ type: 'entrySubmitted', actor: 'ada' })).toBe('Submitted by ada.');
    expect(said({ type: 'entrySubmitted', to: 'not_ready' })).toBe('Submitted; it is not ready yet.');
    expect(said({ type: 'entryPrioritised', priority: 10, actor: 'ops' })).toBe('Got the priority 10 by ops.');
    expect(said({ type: 'entryPromoted' })).toBe('Put ahead of all that wait with its priority.');
  });

  it('says on what a run tests it, in which company', () => {
    expect(said({ to: 'testing', run: RUN })).toBe('Run 42 tests it on main 3f2a1c0d.');
    expect(said({ to: 'testing', run: { ...RUN, own: [7, 8], builtOn: [5] } })).toBe(
      'Run 42 tests it on main 3f2a1c0d in one batch with #8, on top of #5.',
    );
    expect(said({ to: 'testing' })).toBe('Tested.');
  });

  it('says who is to blame for a test that was in vain, one or several', () => {
    const reason = 'prerequisite_merge_item_manually_merged';
    expect(said({ reason, becauseOf: [5] })).toBe('Tested again: #5 was merged by hand.');
    expect(said({ reason, becauseOf: [5, 6] })).toBe('Tested again: #5, #6 were merged by hand.');
    expect(said({ reason: 'prerequisite_merge_item_failed' })).toBe(
      'Tested again: a pull request that it was tested with failed.',
    );
  });

  it('says what decided: its own run, one that contains it, or what it was tested with', () => {
    expect(said({ to: 'tests_passed', run: RUN })).toBe('Passed: run 42 passed.');
    expect(said({ to: 'tests_passed', run: RUN, reason: 'successor_test_run_passed' })).toBe(
      'Passed: run 42, which contains it, passed.',
    );
    expect(said({ to: 'pending_failure', run: RUN })).toBe(
      'Red in run 42: whether it is to blame is decided with those ahead of it.',
    );
    expect(said({ to: 'failed', run: RUN, reason: 'test_run_required_status_failed' })).toBe(
      'Failed: a required status was red in run 42.',
    );
    expect(said({ to: 'failed', reason: 'test_run_timeout' })).toBe('Failed: its test did not finish in time.');
  });

  it('says how it merged', () => {
    expect(said({ to: 'merged' })).toBe('Merged into main.');
    expect(said({ to: 'merged', reason: 'manual_merge' })).toBe('Merged into main by hand, past the queue.');
    expect(said({ to: 'merged', reason: 'merge_graph_direct_merge' })).toBe('Merged into main on its own tests.');
  });

  it('quotes what the host or git said, for a failure and for what was taken out', () => {
    const details = 'A review is missing.';
    expect(said({ to: 'failed', reason: 'host_merge_failed', details })).toBe(
      'Failed: its tests passed, and the host refused to merge it (A review is missing.).',
    );
    expect(said({ to: 'cancelled', reason: 'pr_closed', details: 'by ada' })).toBe(
      'Taken out: it was closed (by ada).',
    );
    expect(said({ to: 'cancelled', reason: 'api_requested', actor: 'ops' })).toBe('Taken out: by ops.');
  });

  it.each(Object.entries(BACK))('why it waits again: %s', (reason, sentence) => {
    expect(said({ to: 'pending', reason: reason as PendingReason, actor: 'ada' })).toBe(sentence);
  });

  it.each(Object.entries(FAILED))('why it failed: %s', (reason, sentence) => {
    expect(said({ to: 'failed', reason: reason as FailedReason, run: RUN })).toBe(`Failed: ${sentence}.`);
  });

  it.each(Object.entries(TAKEN_OUT))('why it was taken out: %s', (reason, sentence) => {
    expect(said({ to: 'cancelled', reason: reason as CancelledReason, actor: 'ada' })).toBe(`Taken out: ${sentence}.`);
  });
});
