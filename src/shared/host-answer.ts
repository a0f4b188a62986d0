import { Logger } from '@nestjs/common';
import { HostUnavailable } from '../domain/code-host.port';
import { DomainError } from '../platform/errors/domain-error';

const LIMIT_MS = 10_000;
const logger = new Logger('CodeHosts');

/**
 * What the host answers within ten seconds. An API call waits no longer: the host's silence is said (502), and since
 * hosts are asked before anything is recorded, nothing has to be undone.
 */
export async function answerOfHost<Answer>(
  host: string,
  ask: () => Promise<Answer>,
  limitMs: number = LIMIT_MS,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(silent(host, `no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([ask(), tooLate]);
  } catch (error) {
    if (error instanceof HostUnavailable) throw silent(host, error.message);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Why goes to the log only: it may name folders and addresses of the service. */
function silent(host: string, why: string): DomainError {
  logger.warn(`The code host ${host} could not be asked: ${why}`);
  return new DomainError(
    'UPSTREAM_ERROR',
    `The code host ${host} does not answer. Nothing was changed; try again later.`,
  );
}
