import type { Entry, QueueSnapshot } from '../../model';
import type { StateReason } from '../../vocabulary';
import { code, type Quote } from '../../wording/markdown';
import { reasonSentence } from '../reason-sentence';
import { capitalised, testsIn } from '../../wording/words';

/** How an entry in a bisection is described. `title`: the title of the comment. */
interface BesideLine {
  readonly title: string;
  readonly why: string;
}

/** The description of an entry in a bisection; null if the entry is in no bisection. */
export function besideLine({ searches, branch }: QueueSnapshot, { search: number }: Entry): BesideLine | null {
  if (number === null) return null;
  const search = searches.find((other) => other.number === number);
  if (!search?.alone)
    return { title: 'Bisecting its failed batch', why: `${capitalised(reasonSentence('bisection_required'))}.` };
  const reds = search.alone.reds > 1 ? `${search.alone.reds} times` : 'once';
  return {
    title: 'Failed in isolation, tested once more',
    why: `It failed ${reds} in isolation on ${code(branch)}, which is not enough to fail it: it is tested once more.`,
  };
}

export const DRY_RUN = 'It is a dry run: it is tested like any other pull request, and not merged.';

type Retested = Pick<Entry, 'stateReason' | 'stateActor' | 'stateRun' | 'timesLost' | 'suspectRun'>;

/** Reasons of a pull request that waits for its first test. */
const FIRST: readonly (StateReason | null)[] = [null, 'merge_item_now_ready', 'user_requested', 'api_requested'];

/** Why the entry is tested again; null if it is tested for the first time. */
export function whyAgain(entry: Retested, branch: string): string | null {
  const { stateReason, stateActor: actor, stateRun, timesLost, suspectRun } = entry;
  if (stateReason === null || FIRST.includes(stateReason)) return null;
  const isForFlaky = stateReason === 'rebuild_required' && suspectRun !== null && suspectRun.run === stateRun;
  const rebuilt = isForFlaky ? 'flaky_tests' : timesLost === 0 ? 'changed' : undefined;
  const sentence = capitalised(reasonSentence(stateReason, { branch, actor, rebuilt }, code));
  return `${sentence}${isForFlaky ? testsIn(suspectRun, code) : ''}.`;
}

/**
 * The lines for an entry whose test came after a test in which only known flaky tests failed; empty for other entries.
 */
export function afterSuspectRun({ suspectRun }: Pick<Entry, 'suspectRun'>): readonly string[] {
  if (suspectRun === null) return [];
  return [`In an earlier test run only known flaky tests failed${testsIn(suspectRun, code)}, so it was tested again.`];
}

/** The sentence of a removal as a clause: it follows "Removed from the queue: ". */
export function whyCancelled({ branch, settings }: QueueSnapshot, entry: Entry, quote: Quote): string {
  const { stateReason, stateActor: actor } = entry;
  if (stateReason === null) return 'no reason is known';
  return reasonSentence(stateReason, { branch, actor, notReadyHours: settings.notReadyTimeoutHours }, quote);
}
