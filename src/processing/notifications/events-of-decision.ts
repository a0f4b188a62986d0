import type { Change } from '../../engine/changes';
import type { EntryState, QueueState } from '../../engine/vocabulary';
import type { WebhookEventType } from './webhook-event';

/** One webhook event of a change in a queue, before further facts are read. */
export type QueueOccurrence =
  | {
      readonly type: Extract<WebhookEventType, 'submitted' | 'testing' | 'sent_back' | 'merged' | 'cancelled'>;
      readonly entryId: string;
      readonly from: EntryState | null;
      readonly to: EntryState;
      readonly reason: string | null;
      readonly actor: string | null;
    }
  | {
      readonly type: 'queue_paused';
      readonly from: QueueState;
      readonly to: QueueState;
      readonly actor: string | null;
    }
  /**
   * `why`: why the target fails after a partial landing, or the host's words; null if the target failed its own test.
   */
  | { readonly type: 'queue_red'; readonly why: string | null; readonly isWrongTree?: true };

/** Whether the target of a queue was known to be broken. */
interface TargetHealth {
  readonly wasRed: boolean;
  readonly isRed: boolean;
}

/** The webhook events of these changes, in the order of the changes. */
export function occurrencesIn(changes: readonly Change[], { wasRed, isRed }: TargetHealth): readonly QueueOccurrence[] {
  const found = changes.flatMap((change) => occurrenceOf(change) ?? []);
  return isRed && !wasRed ? [...found, { type: 'queue_red', why: null }] : found;
}

function occurrenceOf(change: Change): QueueOccurrence | null {
  switch (change.type) {
    case 'entrySubmitted': {
      const { id: entryId, state: to } = change.entry;
      return { type: 'submitted', entryId, from: null, to, reason: null, actor: change.actor };
    }
    case 'entryMoved': {
      const type = typeOfMove(change.to);
      const { entryId, from, to, because: reason, actor } = change;
      return type === null ? null : { type, entryId, from, to, reason, actor };
    }
    case 'queueMoved': {
      const { from, to, actor } = change;
      const stands = to === 'paused' || to === 'draining';
      return stands && from !== to ? { type: 'queue_paused', from, to, actor } : null;
    }
    case 'partEvaluated':
      if (change.problem === null) return null;
      return { type: 'queue_red', why: change.problem, ...(change.isWrongTree && { isWrongTree: true }) };
    default:
      return null;
  }
}

function typeOfMove(to: EntryState): 'testing' | 'sent_back' | 'merged' | 'cancelled' | null {
  switch (to) {
    case 'testing':
    case 'merged':
    case 'cancelled':
      return to;
    case 'failed':
      return 'sent_back';
    case 'not_ready':
    case 'pending':
    case 'tests_passed':
    case 'pending_failure':
      return null;
  }
}
