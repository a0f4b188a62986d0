import { DomainError } from '../../platform/errors/domain-error';

export function noSuchTest(id: string): DomainError {
  return new DomainError('NOT_FOUND', `The repository has no test ${id}.`);
}
