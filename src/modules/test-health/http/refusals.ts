import { DomainError } from '../../../platform/errors/domain-error';

/** `message` continues the name of the field: `must be in the future`. */
export function invalidField(field: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `${field}: ${message}.`, [{ field, message }]);
}

export function noSuchTest(id: string): DomainError {
  return new DomainError('NOT_FOUND', `The repository has no test ${id}.`);
}
