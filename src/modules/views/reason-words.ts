import { reasonSentence, REASONS } from '../../engine/messages/reason-sentence';
import { capitalised } from '../../engine/wording/words';

const FAILURE = /^(test_run_(required|timeout|failed)|start_test_run_|pr_updated_at_merge_time|host_)/;

/**
 * The reason why a pull request left the queue unmerged, in the same sentence as in pages, comments and the API, and
 * whether the pull request failed.
 */
export function wordsOfReason(reason: string): { readonly text: string; readonly isFailure: boolean } {
  const known = REASONS.find((name) => name === reason);
  if (known === undefined) return { text: reason, isFailure: false };
  return { text: capitalised(reasonSentence(known)), isFailure: FAILURE.test(known) };
}
