import type { DecisionResult } from '../../domain/decision-result';
import type { Decided } from '../../engine/decision';
import type { QueueEvent } from '../../engine/events';
import type { LeasedTask } from '../outbox/task-handover';
import type { QueueRow } from './queue-lock';
import { areTargetsNeeded } from './store/heads-with-targets';
import { subjectOf } from './store/subject';

/** The result of one transaction on a queue. */
export interface DecisionStep {
  readonly result: DecisionResult | { readonly type: 'idle' } | { readonly type: 'busy' };
  /** The number of new tasks that any worker may claim. */
  readonly tasks: number;
  /** New tasks that this process has leased already. */
  readonly leased?: readonly LeasedTask[];
  /** The number of deliveries to webhooks that were stored. */
  readonly told?: number;
  readonly decided?: Decided;
  /** Whether the queue must decide again at once: it has other outcomes, or its next deadline has passed. */
  readonly isDueAgain?: boolean;
  /** Set if nothing is to be committed: the transaction is rolled back. */
  readonly isUnchanged?: boolean;
}

export const IDLE: DecisionStep = { result: { type: 'idle' }, tasks: 0, isUnchanged: true };
export const BUSY: DecisionStep = { result: { type: 'busy' }, tasks: 0, isUnchanged: true };
export const GONE: DecisionStep = { result: { type: 'gone' }, tasks: 0, isUnchanged: true };

export function decidedOn(event: QueueEvent, row: QueueRow): DecisionResult {
  if (event.type !== 'pullRequestSubmitted') return { type: 'decided' };
  return { type: 'decided', areTargetsNeeded: areTargetsNeeded(row, subjectOf(event)) };
}

/**
 * Rolls back the transaction of a step that changed nothing. A refusal must store nothing, not even the observations of
 * the event. A rollback also saves the wait for the disk.
 */
export function rollBackIfUnchanged(step: DecisionStep): DecisionStep {
  if (step.isUnchanged) throw new UnchangedStep(step);
  return step;
}

export class UnchangedStep extends Error {
  constructor(readonly step: DecisionStep) {
    super('Nothing was changed: the transaction is rolled back.');
  }
}
