import type { Entry, QueueSnapshot } from '../../model';
import type { Actor, StateReason } from '../../vocabulary';
import { code } from '../../wording/markdown';
import { testsIn } from '../../wording/words';

const BATCH_FAILED = 'Its batch failed: the queue is searching for the pull request that broke it.';

/** What is done with an entry beside the line: `title` is a title or a line. */
interface BesideLine {
  readonly title: string;
  readonly why: string;
}

/** Null: it is not in a culprit search. */
export function besideLine({ searches, branch }: QueueSnapshot, { search: number }: Entry): BesideLine | null {
  if (number === null) return null;
  const search = searches.find((other) => other.number === number);
  if (!search?.alone) return { title: 'Searching for the pull request that broke its batch', why: BATCH_FAILED };
  const reds = search.alone.reds > 1 ? `${search.alone.reds} times` : 'once';
  return {
    title: 'Red alone, and tested once more',
    why: `It was red alone on ${code(branch)} ${reds}, which does not suffice to send it back: it is tested once more.`,
  };
}

export const DRY_RUN = 'It is a dry run: it is tested as it would be, and not merged.';

type Retested = Pick<Entry, 'stateReason' | 'stateActor' | 'stateRun' | 'timesLost' | 'suspectRun'>;

/** Why it is tested again; null when it is tested for the first time. */
export function whyAgain(
  { stateReason, stateActor, stateRun, timesLost, suspectRun }: Retested,
  branch: string,
): string | null {
  switch (stateReason) {
    case 'tests_restarted_by_user':
    case 'tests_restarted_by_api_request':
      return `${byWhom(stateActor, 'Somebody')} asked for a new test.`;
    case 'manual_push_to_target_branch':
      return `It is tested again, because ${code(branch)} was changed past the queue.`;
    case 'prerequisite_merge_item_failed':
      return 'It is tested again, because a pull request that it was tested with failed.';
    case 'prerequisite_merge_item_cancelled':
      return 'It is tested again, because a pull request that it was tested with left the queue.';
    case 'prerequisite_merge_item_manually_merged':
      return 'It is tested again, because a pull request that it was tested with was merged by hand.';
    case 'skip_the_line_interrupted':
      return 'It is tested again, because an urgent pull request goes first.';
    case 'bisection_required':
      return BATCH_FAILED;
    case 'bisection_test_run_passed':
      return 'It passed in the search for the pull request that broke its batch, and goes on.';
    case 'rebuild_required':
      if (suspectRun !== null && suspectRun.run === stateRun)
        return `Only known flaky tests failed${testsIn(suspectRun, code)}: it is tested once more before anybody is blamed.`;
      return timesLost === 0
        ? 'It is tested again, because the pull requests that it is tested with have changed.'
        : 'It is tested again, because CI gave its test no result, or because the pull requests that it is tested with have changed.';
    default:
      return null;
  }
}

/** As `whyAgain`. */
export function whyAgainInFlow(entry: Retested, branch: string): string | null {
  switch (entry.stateReason) {
    case 'bisection_required':
      return 'A test of it was red: the queue finds out whether it is to blame. It fails only if it is red alone.';
    case 'bisection_test_run_passed':
      return 'It passed, but could not merge as it was tested: it is in the next test of what else passed, and merges with that.';
    default:
      return whyAgain(entry, branch);
  }
}

/** A test of it that is not over, or that failed, came after one that only known flaky tests failed in. */
export function afterSuspectRun({ suspectRun }: Pick<Entry, 'suspectRun'>): readonly string[] {
  if (suspectRun === null) return [];
  return [
    `In an earlier test of it only known flaky tests failed${testsIn(suspectRun, code)}, so it was tested again.`,
  ];
}

interface Removal {
  /** Markdown. */
  readonly sentence: string;
  /** Plain text; follows "Removed from the queue: ". */
  readonly line: string;
}

export function whyCancelled(
  reason: StateReason | null,
  actor: Actor,
  { branch, timeoutHours }: { readonly branch: string; readonly timeoutHours: number },
): Removal {
  switch (reason) {
    case 'user_requested':
    case 'api_requested':
      return {
        sentence: `${byWhom(actor, 'Somebody')} took it out of the queue.`,
        line: `taken out by ${actor ?? 'somebody'}`,
      };
    case 'pr_closed':
      return { sentence: 'It was closed.', line: 'it was closed' };
    case 'pr_pushed_to':
      return { sentence: 'It was pushed to while it was in the queue.', line: 'it was pushed to' };
    case 'pr_base_branch_changed':
      return { sentence: `Its base is not ${code(branch)} any more.`, line: 'its base was changed' };
    case 'pr_converted_to_draft':
      return { sentence: 'It was made a draft.', line: 'it was made a draft' };
    case 'pr_merged_into_other_branch':
      return { sentence: `It was merged, but not into ${code(branch)}.`, line: 'it was merged into another branch' };
    case 'not_ready_timeout_expired':
      return {
        sentence: `It was not ready for ${timeoutHours} hours.`,
        line: `it was not ready for ${timeoutHours} hours`,
      };
    case 'target_set_back':
      return {
        sentence: `It was merged, and then ${code(branch)} was set back to before that. Submit it again, or a new pull request where this one stays closed.`,
        line: `${branch} was set back to before its merge`,
      };
    case 'nothing_to_merge':
      return {
        sentence: `${code(branch)} already has all its changes, so there is nothing to merge. Close it, or push the missing changes and submit it again.`,
        line: `${branch} already has all its changes`,
      };
    default:
      return { sentence: 'It left the queue.', line: 'it left the queue' };
  }
}

function byWhom(actor: Actor, otherwise: string): string {
  return actor === null ? otherwise : code(actor);
}
