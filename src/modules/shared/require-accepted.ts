import type { DecisionResult } from '../../domain/decision-result';
import { DomainError } from '../../platform/errors/domain-error';
import { noSuchQueue } from './queue-locator';

/** Throws a refusal as an API error. Errors: the refusal's code, MERGE_QUEUE_NOT_FOUND. */
export function requireAccepted(result: DecisionResult, branch: string): void {
  switch (result.type) {
    case 'decided':
      return;
    case 'refused':
      throw new DomainError(result.refusal.code, result.refusal.message, result.refusal.fields);
    case 'gone':
      throw noSuchQueue(branch);
  }
}
