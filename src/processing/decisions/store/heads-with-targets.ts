import type { BatchingRule, Entry } from '../../../engine/model';
import { isConcluded } from '../../../engine/states';
import type { QueueRow } from '../queue-lock';
import type { Subject } from './subject';
import type { Head } from './target-sets';

/** An entry with one of its heads: the current head, an arriving head, or the merged head. */
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

/** The batching rules after the decision. */
export function rulesOf(queue: QueueRow, { batchingRules }: Subject): readonly BatchingRule[] {
  return batchingRules ?? queue.settings.batchingRules;
}

/** The heads of all open entries, and of the pull request that this decision submits. */
export function headsWaiting({ subject, entries }: Waiting): readonly HeadOfEntry[] {
  const waiting = entries.filter(({ state }) => !isConcluded(state)).map(headOf);
  return [...waiting, ...headsArriving(subject, entries)];
}

/** The head that an entry has in this decision: an entry in `not_ready` adopts the new head of its pull request. */
function headOf({ id: entryId, number, head, state, pullRequest }: Entry): HeadOfEntry {
  return { entryId, number, sha: state === 'not_ready' ? pullRequest.head : head };
}

function headsArriving({ arriving }: Subject, entries: readonly Entry[]): readonly HeadOfEntry[] {
  if (!arriving) return [];
  const { newEntryId, number, head: sha } = arriving;
  const entryId = entries.find((entry) => entry.number === number)?.id ?? newEntryId;
  return [{ entryId, number, sha }];
}
