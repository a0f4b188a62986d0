import { DomainError } from '../../platform/errors/domain-error';

/** The maximum number of open streams. A caller is a browser session or a token. */
const LIMITS = { perCaller: 100, perProcess: 2_000 } as const;
const RETRY_AFTER_S = 30;

/**
 * Checks whether a further stream may begin. `open`: for each open stream, the hash of its caller. Errors:
 * RATE_LIMIT_EXCEEDED when the caller has too many streams, UNAVAILABLE when the process has too many.
 */
export function admitStream(
  open: readonly string[],
  caller: string,
  limits: Readonly<Record<keyof typeof LIMITS, number>> = LIMITS,
): void {
  const { perCaller, perProcess } = limits;
  if (open.filter((one) => one === caller).length >= perCaller) {
    const message = `You have ${perCaller} open streams on this process already. Close some streams, or try again in ${RETRY_AFTER_S} seconds.`;
    throw new DomainError('RATE_LIMIT_EXCEEDED', message, [], RETRY_AFTER_S);
  }
  if (open.length < perProcess) return;
  const message = `There are ${perProcess} open streams on this process already; try again in ${RETRY_AFTER_S} seconds.`;
  throw new DomainError('UNAVAILABLE', message, [], RETRY_AFTER_S);
}
