import type { DecisionResult } from '../../domain/decision-result';
import type { Decided } from '../../engine/decision';
import type { QueueEvent } from '../../engine/events';
import type { LeasedTask } from '../outbox/task-handover';
import type { QueueRow } from './queue-lock';
import { areTargetsNeeded } from './store/heads-with-targets';
import { subjectOf } from './store/subject';

/** What became of one transaction on a queue. */
export interface DecisionStep {
  readonly result: DecisionResult | { readonly type: 'idle' } | { readonly type: 'busy' };
  /** New ones for whoever claims them. */
  readonly tasks: number;
  /** New ones that this process holds already. */
  readonly leased?: readonly LeasedTask[];
  /** How many deliveries to webhooks there are to make. */
  readonly told?: number;
  readonly decided?: Decided;
  /** The queue has other outcomes, or is due by the time. */
  readonly isDueAgain?: boolean;
  /** Nothing was written, so that there is nothing to commit. */
  readonly isUnchanged?: boolean;
}

export const IDLE: DecisionStep = { result: { type: 'idle' }, tasks: 0, isUnchanged: true };
export const BUSY: DecisionStep = { result: { type: 'busy' }, tasks: 0, isUnchanged: true };
export const GONE: DecisionStep = { result: { type: 'gone' }, tasks: 0, isUnchanged: true };

export function decidedOn(event: QueueEvent, row: QueueRow): DecisionResult {
  if (event.type !== 'pullRequestSubmitted') return { type: 'decided' };
  return { type: 'decided', areTargetsNeeded: areTargetsNeeded(row, subjectOf(event)) };
}

/** A refusal stores nothing, not even the observations of the event. And a lock that is not committed need not wait for the disk. */
export function rollBackIfUnchanged(step: DecisionStep): DecisionStep {
  if (step.isUnchanged) throw new UnchangedStep(step);
  return step;
}

export class UnchangedStep extends Error {
  constructor(readonly step: DecisionStep) {
    super('Nothing was changed: the transaction is rolled back.');
  }
}
