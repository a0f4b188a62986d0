import type { Instant } from '../../../src/engine/vocabulary';

interface KnownHead {
  readonly head: string;
  readonly since: Instant;
}

/** The time since which each pull request has its head: by the host's record, and as far as the service knows. */
export class Heads {
  private readonly pushedAt = new Map<number, Instant>();
  private readonly known = new Map<number, KnownHead>();

  constructor(private readonly recordsPushes: boolean) {}

  pushed(number: number, at: Instant): void {
    this.pushedAt.set(number, at);
  }

  /** Null if the host keeps no such records, or if nobody has pushed to the pull request since it was opened. */
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
