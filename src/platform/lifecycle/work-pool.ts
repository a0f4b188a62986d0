interface WorkSource<Item> {
  /** The maximum number of items in progress. */
  readonly width: number;
  /** Claims at most `free` due items. */
  claim(free: number): Promise<readonly Item[]>;
  /** Carries out an item. It should handle failures itself; the pool reports an error that it throws. */
  carryOut(item: Item): Promise<void>;
  report(message: string, error: unknown): void;
  /** True: the end of an item never makes another item due. Absent: another item may become due. */
  readonly areIndependent?: boolean;
}

/** What a pool has in progress, reserved slots included. */
export interface Places {
  readonly width: number;
  readonly held: number;
  /** The age of the oldest item in progress; 0: there is none. */
  readonly longestHeldMs: number;
}

/** Reserved slots in a pool, for items that this process is about to create. Call `end` in any case. */
export interface Reservation<Item> {
  /** Reserves at most `most` further slots; returns the number of reserved ones. */
  keep(most: number): number;
  /** Carries out items in reserved slots. The items need no claim. */
  carryOut(items: readonly Item[]): void;
  end(): void;
}

/** A pool is woken every second. A pool without a successful claim in this time counts as not alive. */
const LOOK_LIMIT_MS = 30_000;

/**
 * Claims and carries out work as long as items are due. Items run in parallel; claims do not. A failed claim is
 * repeated at the next `wake`.
 */
export class WorkPool<Item> {
  /** When each item began, by the monotonic clock; the oldest one first. */
  private readonly inProgress = new Map<Promise<void>, number>();
  private readonly reservations = new Set<Promise<void>>();
  private kept = 0;
  private claiming: Promise<void> = Promise.resolve();
  private isClaiming = false;
  private isAsked = false;
  private isFinishing = false;
  /** True: the last claim filled all free slots, so more items may be due. */
  private mayBeMore = false;
  /**
   * The time of the last successful claim, by the monotonic clock of the process, because liveness is about real time.
   */
  private lookedAt = performance.now();

  constructor(private readonly source: WorkSource<Item>) {}

  /** Looks for due work. */
  wake(): void {
    if (this.isFinishing) return;
    this.isAsked = true;
    if (this.isClaiming) return;
    this.isClaiming = true;
    this.claiming = this.claimWhatIsDue();
  }

  /** Carries out an item that is known to be due, without a claim if a slot is free. */
  offer(item: Item): void {
    if (this.isFinishing) return;
    if (this.free > 0) this.begin(item);
    else this.mayBeMore = true;
  }

  /** Reserves no slots after `finish`; items in slots that were reserved before are still carried out. */
  reserve(): Reservation<Item> {
    let kept = 0;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    return {
      keep: (most) => {
        const size = this.isFinishing ? 0 : Math.max(0, Math.min(most, this.free));
        if (size > 0) this.reservations.add(ended);
        kept += size;
        this.kept += size;
        return size;
      },
      carryOut: (items) => {
        for (const item of items) this.begin(item);
      },
      end: () => {
        this.kept -= kept;
        const wasFull = kept > 0 && this.mayBeMore;
        kept = 0;
        this.reservations.delete(ended);
        end();
        if (wasFull) this.wake();
      },
    };
  }

  /** Resolves when no work is in progress or due. */
  async idle(): Promise<void> {
    this.wake();
    await this.settled();
  }

  /** Stops claiming, and resolves when no work is in progress. */
  async finish(): Promise<void> {
    this.isFinishing = true;
    await this.settled();
  }

  health(): 'ok' | { readonly problem: string } {
    const sinceLook = performance.now() - this.lookedAt;
    return sinceLook < LOOK_LIMIT_MS
      ? 'ok'
      : { problem: `has not looked for work for ${Math.round(sinceLook / 1000)} s` };
  }

  places(): Places {
    const [oldest] = this.inProgress.values();
    const longestHeldMs = oldest === undefined ? 0 : performance.now() - oldest;
    return { width: this.source.width, held: this.source.width - this.free, longestHeldMs };
  }

  private async settled(): Promise<void> {
    while (this.isClaiming || this.inProgress.size > 0 || this.reservations.size > 0) {
      await this.claiming;
      await Promise.all([...this.inProgress.keys(), ...this.reservations]);
    }
  }

  private get free(): number {
    return this.source.width - this.inProgress.size - this.kept;
  }

  private async claimWhatIsDue(): Promise<void> {
    try {
      while (this.isAsked && !this.isFinishing) {
        this.isAsked = false;
        const { free } = this;
        // The end of an item starts the next claim.
        this.mayBeMore = false;
        const items = free > 0 ? await this.source.claim(free) : [];
        this.mayBeMore ||= items.length >= free;
        this.lookedAt = performance.now();
        for (const item of items) this.begin(item);
      }
    } catch (error) {
      this.source.report('Could not look for work', error);
    } finally {
      this.isClaiming = false;
    }
  }

  private begin(item: Item): void {
    const piece: Promise<void> = this.source
      .carryOut(item)
      .catch((error: unknown) => this.source.report('A piece of work failed', error))
      .finally(() => {
        this.inProgress.delete(piece);
        if (this.mayBeMore || !this.source.areIndependent) this.wake();
      });
    this.inProgress.set(piece, performance.now());
  }
}
