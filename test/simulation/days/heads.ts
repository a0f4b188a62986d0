import type { Instant } from '../../../src/engine/vocabulary';

interface KnownHead {
  readonly head: string;
  readonly since: Instant;
}

/** Since when each pull request has its head: by the host's record, and by the service's knowledge. */
export class Heads {
  private readonly pushedAt = new Map<number, Instant>();
  private readonly known = new Map<number, KnownHead>();

  constructor(private readonly recordsPushes: boolean) {}

  pushed(number: number, at: Instant): void {
    this.pushedAt.set(number, at);
  }

  /** Null: the host keeps no such records, or the pull request has had no push since it was opened. */
  recordOf(number: number): Instant | null {
    return this.recordsPushes ? (this.pushedAt.get(number) ?? null) : null;
  }

  /** The service learns that this was the head at that time. Returns the earliest known time. */
  noticed(number: number, head: string, at: Instant): Instant {
    const known = this.known.get(number);
    const since = known?.head === head ? Math.min(known.since, at) : at;
    if (known === undefined || known.head === head || known.since <= at) this.known.set(number, { head, since });
    return since;
  }
}
