import type { Instant } from '../../../src/engine/vocabulary';

interface KnownHead {
  readonly head: string;
  readonly since: Instant;
}

/**
 * The times since which each pull request has its present head, by the host's record and by the service's knowledge.
 */
export class Heads {
  private readonly pushedAt = new Map<number, Instant>();
  private readonly known = new Map<number, KnownHead>();

  constructor(private readonly recordsPushes: boolean) {}

  pushed(number: number, at: Instant): void {
    this.pushedAt.set(number, at);
  }

  /**
   * The time in the host's record. Null if the host keeps no record, or if nobody has pushed to the pull request since
   * it was opened.
   */
  recordOf(number: number): Instant | null {
    return this.recordsPushes ? (this.pushedAt.get(number) ?? null) : null;
  }

  /** Notes that the service saw this head at that time. Returns the earliest time at which the service saw the head. */
  noticed(number: number, head: string, at: Instant): Instant {
    const known = this.known.get(number);
    const since = known?.head === head ? Math.min(known.since, at) : at;
    if (known === undefined || known.head === head || known.since <= at) this.known.set(number, { head, since });
    return since;
  }
}
