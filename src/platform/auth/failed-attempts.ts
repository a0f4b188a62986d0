import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock';
import { DomainError } from '../errors/domain-error';

const LIMIT = 300;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 100_000;

interface Attempts {
  readonly until: number;
  readonly count: number;
}

/**
 * Counts failed authentications per address and minute. Failed attempts never block a valid token, because many clients
 * may share an address, and one client may have an old token.
 */
@Injectable()
export class FailedAttempts {
  /** The order of insertion is the order of expiry, because all entries last equally long. */
  private readonly byAddress = new Map<string, Attempts>();

  constructor(private readonly clock: Clock) {}

  /** Throws RATE_LIMIT_EXCEEDED after too many failures of the address in this minute. */
  note(address: string): void {
    const now = this.clock.now().getTime();
    this.forgetEnded(now);
    const { until, count } = this.byAddress.get(address) ?? { until: now + WINDOW_MS, count: 0 };
    this.byAddress.set(address, { until, count: count + 1 });
    if (count < LIMIT) return;
    const seconds = Math.max(1, Math.ceil((until - now) / 1_000));
    const message = `More than ${LIMIT} requests without a valid token came from this address in a minute; try again in ${seconds} seconds.`;
    throw new DomainError('RATE_LIMIT_EXCEEDED', message, [], seconds);
  }

  private forgetEnded(now: number): void {
    for (const [address, { until }] of this.byAddress) {
      if (until > now && this.byAddress.size <= MOST_ADDRESSES) return;
      this.byAddress.delete(address);
    }
  }
}
