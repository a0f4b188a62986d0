import type { Instant } from '../../../src/engine/vocabulary';

interface KnownHead {
  readonly head: string;
  readonly since: Instant;
}

/** Since when pull requests have their heads: by the host's own record, and as far as the service knows. */
export class Heads {
  private readonly pushedAt = new Map<number, Instant>();
  private readonly known = new Map<number, KnownHead>();

  constructor(private readonly recordsPushes: boolean) {}

  pushed(number: number, at: Instant): void {
    this.pushedAt.set(number, at);
  }

  /** Null: the host keeps no such records, or nobody has pushed since it was opened. */
  recordOf(number: number): Instant | null {
    return this.recordsPushes ? (this.pushedAt.get(number) ?? null) : null;
  }

  /** The service learns that it was the head by then. Returns the earliest such time. */
  noticed(number: number, head: string, at: Instant): Instant {
    const known = this.known.get(number);
    const since = known?.head === head ? Math.min(known.since, at) : at;
    if (known === undefined || known.head === head || known.since <= at) this.known.set(number, { head, since });
    return since;
  }
}
