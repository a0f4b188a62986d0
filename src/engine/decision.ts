import type { Change } from './changes';
import type { Command } from './commands';
import type { QueueSnapshot } from './model';
import type { EntryReadiness } from './policy/readiness';
import type { Instant } from './vocabulary';

/** An expected refusal: the event changed nothing. `code` is an error code of the API; `message` is for people. */
export interface Refusal {
  readonly code:
    | 'PR_NOT_FOUND'
    | 'PR_NOT_ENQUEUEABLE'
    | 'PR_NOT_IN_ACTIVE_STATE'
    | 'PR_TESTS_NOT_RESTARTABLE'
    | 'QUEUE_HAS_ACTIVE_ENTRIES'
    | 'MODE_CHANGE_IN_PROGRESS'
    | 'VALIDATION_FAILED';
  readonly message: string;
  /** The fields of the request to blame. Absent: no particular field. */
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
}

export interface Refused {
  readonly type: 'refused';
  readonly refusal: Refusal;
}

export interface Decided {
  readonly type: 'decided';
  /** The snapshot after all changes. */
  readonly after: QueueSnapshot;
  readonly changes: readonly Change[];
  readonly commands: readonly Command[];
  /** The earliest moment at which the queue must decide again; null if only an event can change anything. */
  readonly wakeAt: Instant | null;
}

export type Decision = Refused | Decided;

/** One sentence for people about the present situation of an entry. */
export interface Explanation {
  readonly entryId: string;
  /** Null if the entry has concluded. */
  readonly waitingFor: string | null;
  readonly readiness: EntryReadiness;
}

/** An entry to explain. `ahead`: how many entries are considered before this entry. */
export interface AskedEntry {
  readonly entryId: string;
  readonly ahead: number;
}
