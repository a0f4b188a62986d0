import { AsyncLocalStorage } from 'node:async_hooks';
import { HostUnavailable } from '../domain/code-host.port';
import type { Clock } from '../platform/clock/clock';

const MINUTE_MS = 60_000;
const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
/**
 * The storage is shared by all gates. On Node 20 and 22, every promise copies each storage in use, and a gate is never
 * closed, so a gate could not free a storage of its own.
 */
const works = new AsyncLocalStorage<object>();
/** For at most this long, one request tries a refused token, while all other requests get the last refusal. */
const TRIAL_MS = 30_000;

/**
 * Limits retries with a token that the host has refused, because hosts and the proxies before them block clients that
 * fail to log in too often. After a refusal, the token is tried again after one minute. The wait doubles with each
 * further refusal, up to ten minutes.
 */
export class TokenGate {
  private refusal: HostUnavailable | null = null;
  private closedUntil = 0;
  private waitMs = 0;
  /** The work of `asOne` that tries the token now; null if a request outside of `asOne` tries it, or nobody does. */
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
   * Runs `work`, whose requests together count as one try of the token. Otherwise its second request would get the last
   * refusal while the first one tries the token.
   */
  asOne<Result>(work: () => Promise<Result>): Promise<Result> {
    return works.run({}, async () => {
      this.pass();
      return await work();
    });
  }

  /** Notes that the host has refused the token, and returns the error to throw. `words`: the host's message. */
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
