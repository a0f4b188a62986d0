import { AsyncLocalStorage } from 'node:async_hooks';
import { HostUnavailable } from '../domain/code-host.port';
import type { Clock } from '../platform/clock/clock';

const MINUTE_MS = 60_000;
const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
/**
 * Shared by all gates. On Node 20 and 22 every promise copies each used storage, and a gate has no end at which it
 * could free its own.
 */
const works = new AsyncLocalStorage<object>();
/** For this long one request tries a refused token, and all others wait for the result. */
const TRIAL_MS = 30_000;

/**
 * Limits retries with a token that the host has refused, because hosts and the proxies before them block clients that
 * fail to log in too often. The token is tried after one minute, then less and less often, at most ten minutes apart.
 */
export class TokenGate {
  private refusal: HostUnavailable | null = null;
  private closedUntil = 0;
  private waitMs = 0;
  /** The work that tries the token now; null: a request outside of any work. */
  private trying: object | null = null;

  constructor(
    private readonly host: string,
    private readonly clock: Clock,
  ) {}

  /** Throws the last refusal of the token, if it is recent. */
  pass(): void {
    if (this.refusal === null) return;
    const work = works.getStore() ?? null;
    if (work !== null && work === this.trying) return;
    const now = this.clock.now().getTime();
    if (now < this.closedUntil) throw this.refusal;
    this.closedUntil = now + TRIAL_MS;
    this.trying = work;
  }

  /**
   * Several requests of one piece of work try the token as one. Otherwise the second request would wait for the result
   * of the first.
   */
  asOne<Result>(work: () => Promise<Result>): Promise<Result> {
    return works.run({}, async () => {
      this.pass();
      return await work();
    });
  }

  /** The error to throw. `words`: the host's message. */
  refused(words: string): HostUnavailable {
    const now = this.clock.now().getTime();
    this.trying = null;
    // If several requests ran at the same time, only the first refusal increases the wait.
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
