import { AsyncLocalStorage } from 'node:async_hooks';
import { HostUnavailable } from '../domain/code-host.port';
import type { Clock } from '../platform/clock/clock';

const MINUTE_MS = 60_000;
const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
/** One for all gates: on Node 20 and 22 every promise copies each storage that was used, and a gate has no end at which it would give its own back. */
const works = new AsyncLocalStorage<object>();
/** So long one request tries a token that was refused, and all others wait for what comes of it. */
const TRIAL_MS = 30_000;

/**
 * Keeps a token that the host has refused from being tried again and again: hosts, and what stands in front of them, shut out
 * an address from which too many log in in vain. It is tried once a minute, then less and less often, up to every ten minutes.
 */
export class TokenGate {
  private refusal: HostUnavailable | null = null;
  private closedUntil = 0;
  private waitMs = 0;
  /** The work that tries the token now; null: a request that is no part of any. */
  private trying: object | null = null;

  constructor(
    private readonly host: string,
    private readonly clock: Clock,
  ) {}

  /** Throws what the host said of the token, when that was not long ago. */
  pass(): void {
    if (this.refusal === null) return;
    const work = works.getStore() ?? null;
    if (work !== null && work === this.trying) return;
    const now = this.clock.now().getTime();
    if (now < this.closedUntil) throw this.refusal;
    this.closedUntil = now + TRIAL_MS;
    this.trying = work;
  }

  /** Work of several requests tries the token as one. Otherwise its second request would wait for what comes of its first. */
  asOne<Result>(work: () => Promise<Result>): Promise<Result> {
    return works.run({}, async () => {
      this.pass();
      return await work();
    });
  }

  /** The error to throw. `words`: what the host said. */
  refused(words: string): HostUnavailable {
    const now = this.clock.now().getTime();
    this.trying = null;
    // Of requests that were under way together, only the first makes the wait longer.
    const isAnother = this.refusal !== null && this.closedUntil > now + TRIAL_MS;
    if (!isAnother) this.waitMs = Math.min(LONGEST_WAIT_MS, this.waitMs === 0 ? FIRST_WAIT_MS : this.waitMs * 2);
    if (!isAnother) this.closedUntil = now + this.waitMs;
    this.refusal = new HostUnavailable(this.host, 'no_access', `${this.host} does not take the token: ${words}`);
    return this.refusal;
  }

  taken(): void {
    this.refusal = null;
    this.trying = null;
    this.waitMs = 0;
  }
}
