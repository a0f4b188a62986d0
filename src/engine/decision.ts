import type { Change } from './changes';
import type { Command } from './commands';
import type { QueueSnapshot } from './model';
import type { EntryReadiness } from './policy/readiness';
import type { Instant } from './vocabulary';

/** An expected refusal: the event changed nothing. `code` is one of the interface; `message` is for people. */
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
  /** Of the request, those that it is refused for. Absent: none in particular. */
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
}

export interface Refused {
  readonly type: 'refused';
  readonly refusal: Refusal;
}

export interface Decided {
  readonly type: 'decided';
  /** The snapshot with every change folded in. */
  readonly after: QueueSnapshot;
  readonly changes: readonly Change[];
  readonly commands: readonly Command[];
  /** The earliest moment at which something is to be decided; null: only an event can change anything. */
  readonly wakeAt: Instant | null;
}

export type Decision = Refused | Decided;

/** Why one entry is where it is, in a sentence for a person. */
export interface Explanation {
  readonly entryId: string;
  /** Null once it has concluded. */
  readonly waitingFor: string | null;
  readonly readiness: EntryReadiness;
}

/** An entry somebody asks about, and how many entries stand ahead of it in the order they will be considered. */
export interface AskedEntry {
  readonly entryId: string;
  readonly ahead: number;
}
