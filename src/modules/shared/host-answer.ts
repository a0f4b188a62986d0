import { Logger } from '@nestjs/common';
import { HostUnavailable } from '../../domain/code-host.port';
import { DomainError } from '../../platform/errors/domain-error';

const LIMIT_MS = 10_000;
const logger = new Logger('CodeHosts');

/**
 * Returns the answer of the code host, or throws UPSTREAM_ERROR (502) after ten seconds. API calls query the code host
 * before they store anything, so a failure leaves nothing to undo.
 */
export async function answerOfHost<Answer>(
  host: string,
  ask: () => Promise<Answer>,
  limitMs: number = LIMIT_MS,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unreachable(host, `no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([ask(), tooLate]);
  } catch (error) {
    if (error instanceof HostUnavailable && error.kind === 'no_access') throw noAccess(host, error.message);
    if (error instanceof HostUnavailable && error.kind === 'another_repository') throw isAnother(host, error.message);
    if (error instanceof HostUnavailable) throw unreachable(host, error.message);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Only the log has the reason, because the reason may name folders and addresses of the service. */
function unreachable(host: string, why: string): DomainError {
  logger.warn(`The code host ${host} could not be asked: ${why}`);
  return new DomainError(
    'UPSTREAM_ERROR',
    `The code host ${host} does not answer. Nothing was changed; try again later.`,
  );
}

function noAccess(host: string, why: string): DomainError {
  logger.warn(`The code host ${host} refuses the service: ${why}`);
  return new DomainError(
    'UPSTREAM_ERROR',
    `The code host ${host} refuses this service: ${why}. Nothing was changed. sluice doctor lists what to fix.`,
  );
}

function isAnother(host: string, why: string): DomainError {
  logger.warn(`The code host ${host} has another repository: ${why}`);
  return new DomainError('UPSTREAM_ERROR', `${why}. Nothing was changed.`);
}
