interface WorkSource<Item> {
  /** The most pieces of work at once. */
  readonly width: number;
  /** Claims at most `free` due pieces. */
  claim(free: number): Promise<readonly Item[]>;
  /** Handles its own failures; an error that it throws is reported. */
  carryOut(item: Item): Promise<void>;
  report(message: string, error: unknown): void;
  /** Pieces do not wait for each other: the end of one makes no other due. Absent: it may. */
  readonly areIndependent?: boolean;
}

/** Room in a pool for pieces of work that this process is about to make. `end` it, whatever became of them. */
export interface WorkRoom<Item> {
  /** Keeps room for so many more, or for as many as there is; returns for how many. */
  keep(most: number): number;
  /** Carries out pieces that room was kept for: they need no claim. */
  carryOut(items: readonly Item[]): void;
  end(): void;
}

/** A pool is woken every second. Without a successful claim in this time it counts as not alive. */
const LOOK_LIMIT_MS = 30_000;

/**
 * Claims and carries out work while some is due. Pieces run side by side; claims do not. A failed claim is repeated at the
 * next `wake`.
 */
export class WorkPool<Item> {
  private readonly inHand = new Set<Promise<void>>();
  private readonly rooms = new Set<Promise<void>>();
  private kept = 0;
  private claiming: Promise<void> = Promise.resolve();
  private isClaiming = false;
  private isAsked = false;
  private isFinishing = false;
  /** More may be due than there was room for. */
  private mayBeMore = false;
  /** By the monotonic clock of the process, because liveness is about real time. */
  private lookedAt = performance.now();

  constructor(private readonly source: WorkSource<Item>) {}

  /** There may be something to do. */
  wake(): void {
    if (this.isFinishing) return;
    this.isAsked = true;
    if (this.isClaiming) return;
    this.isClaiming = true;
    this.claiming = this.claimWhatIsDue();
  }

  /** Carries out a piece that is known to be due, without a claim where there is room. */
  offer(item: Item): void {
    if (this.isFinishing) return;
    if (this.free > 0) this.begin(item);
    else this.mayBeMore = true;
  }

  /** There is none any more once the pool finishes; what room was kept for before is carried out. */
  room(): WorkRoom<Item> {
    let kept = 0;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    return {
      keep: (most) => {
        const size = this.isFinishing ? 0 : Math.max(0, Math.min(most, this.free));
        if (size > 0) this.rooms.add(ended);
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
        this.rooms.delete(ended);
        end();
        if (wasFull) this.wake();
      },
    };
  }

  /** Resolves when no work is in hand or due. */
  async idle(): Promise<void> {
    this.wake();
    await this.settled();
  }

  /** Claims no more work, and resolves when none is in hand. */
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

  private async settled(): Promise<void> {
    while (this.isClaiming || this.inHand.size > 0 || this.rooms.size > 0) {
      await this.claiming;
      await Promise.all([...this.inHand, ...this.rooms]);
    }
  }

  private get free(): number {
    return this.source.width - this.inHand.size - this.kept;
  }

  private async claimWhatIsDue(): Promise<void> {
    try {
      while (this.isAsked && !this.isFinishing) {
        this.isAsked = false;
        const { free } = this;
        // The next claim follows when a piece ends.
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
        this.inHand.delete(piece);
        if (this.mayBeMore || !this.source.areIndependent) this.wake();
      });
    this.inHand.add(piece);
  }
}
