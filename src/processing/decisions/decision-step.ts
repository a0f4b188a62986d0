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
  /** New tasks that any worker may claim. */
  readonly tasks: number;
  /** New tasks that this process has leased already. */
  readonly leased?: readonly LeasedTask[];
  /** Deliveries to webhooks that were stored. */
  readonly told?: number;
  readonly decided?: Decided;
  /** The queue has other outcomes, or its next deadline has passed. */
  readonly isDueAgain?: boolean;
  /** Nothing was written, so there is nothing to commit. */
  readonly isUnchanged?: boolean;
}

export const IDLE: DecisionStep = { result: { type: 'idle' }, tasks: 0, isUnchanged: true };
export const BUSY: DecisionStep = { result: { type: 'busy' }, tasks: 0, isUnchanged: true };
export const GONE: DecisionStep = { result: { type: 'gone' }, tasks: 0, isUnchanged: true };

export function decidedOn(event: QueueEvent, row: QueueRow): DecisionResult {
  if (event.type !== 'pullRequestSubmitted') return { type: 'decided' };
  return { type: 'decided', areTargetsNeeded: areTargetsNeeded(row, subjectOf(event)) };
}

/** A refusal stores nothing, not even the observations of the event. A rollback also saves the wait for the disk. */
export function rollBackIfUnchanged(step: DecisionStep): DecisionStep {
  if (step.isUnchanged) throw new UnchangedStep(step);
  return step;
}

export class UnchangedStep extends Error {
  constructor(readonly step: DecisionStep) {
    super('Nothing was changed: the transaction is rolled back.');
  }
}
