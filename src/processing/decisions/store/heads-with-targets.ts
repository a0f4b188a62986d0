import type { BatchingRule, Entry } from '../../../engine/model';
import { isConcluded } from '../../../engine/states';
import type { QueueRow } from '../queue-lock';
import type { Subject } from './subject';
import type { Head } from './target-sets';

/** An entry at one of its heads: the present one, an arriving one, or one that it landed with. */
export interface HeadOfEntry extends Head {
  readonly entryId: string;
}

interface Waiting {
  readonly subject: Subject;
  readonly entries: readonly Entry[];
}

export function areTargetsNeeded(queue: QueueRow, subject: Subject): boolean {
  return mayBeParallel(queue, subject) || queue.settings.scheduling === 'flow' || rulesOf(queue, subject).length > 0;
}

export function mayBeParallel({ mode, requestedMode }: QueueRow, subject: Subject): boolean {
  return [mode, requestedMode, subject.mode].includes('parallel');
}

/** Those in force after the decision. */
export function rulesOf(queue: QueueRow, { batchingRules }: Subject): readonly BatchingRule[] {
  return batchingRules ?? queue.settings.batchingRules;
}

/** Of all that is not concluded, and of what the decision takes in. */
export function headsWaiting({ subject, entries }: Waiting): readonly HeadOfEntry[] {
  const waiting = entries.filter(({ state }) => !isConcluded(state)).map(headOf);
  return [...waiting, ...headsArriving(subject, entries)];
}

/** An entry that is not ready takes its pull request's new head in this decision. */
function headOf({ id: entryId, number, head, state, pullRequest }: Entry): HeadOfEntry {
  return { entryId, number, sha: state === 'not_ready' ? pullRequest.head : head };
}

function headsArriving({ arriving }: Subject, entries: readonly Entry[]): readonly HeadOfEntry[] {
  if (!arriving) return [];
  const { newEntryId, number, head: sha } = arriving;
  const entryId = entries.find((entry) => entry.number === number)?.id ?? newEntryId;
  return [{ entryId, number, sha }];
}
