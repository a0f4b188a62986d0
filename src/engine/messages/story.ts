import type { Actor, EntryState, StateReason } from '../vocabulary';
import { company, pullRequests, short } from '../wording/words';

/** One line of the log about an entry. */
export interface StoryLine {
  readonly type: 'entrySubmitted' | 'entryMoved' | 'entryPrioritised' | 'entryPromoted';
  readonly to: EntryState | null;
  readonly reason: StateReason | null;
  readonly actor: Actor;
  /** Of the entry. */
  readonly number: number;
  readonly branch: string;
  /** More about the reason, as a host or git said it. */
  readonly details: string | null;
  /** The priority that it was given. */
  readonly priority: number | null;
  readonly becauseOf: readonly number[];
  readonly run: RunOfStory | null;
}

export interface RunOfStory {
  readonly number: number;
  readonly base: string;
  readonly own: readonly number[];
  readonly builtOn: readonly number[];
}

/** What happened, in a plain sentence. What others wrote stays as they wrote it. */
export function storySentence(line: StoryLine): string {
  switch (line.type) {
    case 'entrySubmitted':
      return line.to === 'not_ready' ? `${by(line, 'Submitted')}; it is not ready yet.` : `${by(line, 'Submitted')}.`;
    case 'entryPrioritised':
      return `${by(line, `Got the priority ${line.priority}`)}.`;
    case 'entryPromoted':
      return `${by(line, 'Put ahead of all that wait with its priority')}.`;
    case 'entryMoved':
      return `${movedTo(line)}.`;
  }
}

function movedTo(line: StoryLine): string {
  const { to, reason, branch, details } = line;
  const run = line.run === null ? 'its test' : `run ${line.run.number}`;
  switch (to) {
    case 'not_ready':
      return 'Not ready any more: it waits until that is mended';
    case 'pending':
      return backToWaiting(line);
    case 'testing':
      return line.run === null ? 'Tested' : testedIn(line.run, line.number, branch);
    case 'tests_passed':
      if (reason === 'successor_test_run_passed') return `Passed: ${run}, which contains it, passed`;
      return `Passed: ${run} passed`;
    case 'pending_failure':
      return `Red in ${run}: whether it is to blame is decided with those ahead of it`;
    case 'merged':
      return mergedAs(reason, branch);
    case 'failed':
      return `Failed: ${whyFailed(line, run)}`;
    case 'cancelled':
      return `Taken out: ${whyTakenOut(line)}${details === null ? '' : ` (${details})`}`;
    case null:
      return 'It stays as it is';
  }
}

function testedIn(run: RunOfStory, number: number, branch: string): string {
  const with_ = company(run, number);
  return `Run ${run.number} tests it on ${branch} ${short(run.base)}${with_}`;
}

function backToWaiting(line: StoryLine): string {
  const { reason, branch, becauseOf } = line;
  const others = becauseOf.length === 0 ? 'a pull request that it was tested with' : pullRequests(becauseOf);
  const they = (one: string, several: string): string => (becauseOf.length > 1 ? several : one);
  switch (reason) {
    case 'merge_item_now_ready':
      return 'Ready: it waits for a test';
    case 'tests_restarted_by_user':
    case 'tests_restarted_by_api_request':
      return `${line.actor ?? 'Somebody'} asked for a new test`;
    case 'manual_push_to_target_branch':
      return `Tested again: ${branch} was changed past the queue`;
    case 'prerequisite_merge_item_failed':
      return `Tested again: ${others} failed`;
    case 'prerequisite_merge_item_cancelled':
      return `Tested again: ${others} left the queue`;
    case 'prerequisite_merge_item_manually_merged':
      return `Tested again: ${others} ${they('was', 'were')} merged by hand`;
    case 'skip_the_line_interrupted':
      return 'Tested again: an urgent pull request goes first';
    case 'bisection_required':
      return 'A test of it was red: the queue finds out whether it is to blame';
    case 'bisection_test_run_passed':
      return 'Passed in the search for what broke its batch, and goes on';
    case 'rebuild_required':
      return 'Tested again: what it is tested with has changed, or CI gave no verdict';
    default:
      return 'Waits for a test';
  }
}

function mergedAs(reason: StateReason | null, branch: string): string {
  if (reason === 'manual_merge') return `Merged into ${branch} by hand, past the queue`;
  if (reason === 'merge_graph_direct_merge') return `Merged into ${branch} on its own tests`;
  return `Merged into ${branch}`;
}

function whyFailed({ reason, details }: StoryLine, run: string): string {
  const said = details === null ? '' : ` (${details})`;
  switch (reason) {
    case 'test_run_required_status_failed':
      return `a required status was red in ${run}`;
    case 'test_run_timeout':
      return `${run} did not finish in time`;
    case 'test_run_failed_by_optimization':
      return `what it was tested with says that it is red${said}`;
    case 'start_test_run_merge_conflict':
      return `it conflicts with what it is tested on${said}`;
    case 'start_test_run_no_required_statuses':
      return 'no required status is named';
    case 'start_test_run_config_parsing_failure':
    case 'start_test_run_config_bad_required_statuses':
      return `it breaks the configuration file${said}`;
    case 'pr_updated_at_merge_time':
      return 'it was pushed to while it was being merged';
    case 'host_merge_failed':
    case 'host_branch_protection_unmet':
      return `its tests passed, and the host refused to merge it${said}`;
    default:
      return `its test could not be started${said}`;
  }
}

function whyTakenOut({ reason, actor, branch }: StoryLine): string {
  switch (reason) {
    case 'user_requested':
    case 'api_requested':
      return `by ${actor ?? 'somebody'}`;
    case 'pr_closed':
      return 'it was closed';
    case 'pr_pushed_to':
      return 'it was pushed to';
    case 'pr_base_branch_changed':
      return `its base is not ${branch} any more`;
    case 'pr_converted_to_draft':
      return 'it was made a draft';
    case 'pr_merged_into_other_branch':
      return 'it was merged into another branch';
    case 'not_ready_timeout_expired':
      return 'it was not ready for too long';
    case 'nothing_to_merge':
      return `${branch} already has all its changes`;
    case 'target_set_back':
      return `${branch} was set back to before its merge`;
    case 'dry_run_passed':
      return 'its dry run passed';
    default:
      return 'it left the queue';
  }
}

function by({ actor }: StoryLine, what: string): string {
  return actor === null ? what : `${what} by ${actor}`;
}
