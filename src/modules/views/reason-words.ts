import { reasonSentence, REASONS } from '../../engine/messages/reason-sentence';
import { capitalised } from '../../engine/wording/words';

const FAILURE = /^(test_run_(required|timeout|failed)|start_test_run_|pr_updated_at_merge_time|host_)/;

/** Why a pull request left the queue unmerged, in the sentence of every other place, and whether it failed. */
export function wordsOfReason(reason: string): { readonly text: string; readonly isFailure: boolean } {
  const known = REASONS.find((name) => name === reason);
  if (known === undefined) return { text: reason, isFailure: false };
  return { text: capitalised(reasonSentence(known)), isFailure: FAILURE.test(known) };
}
