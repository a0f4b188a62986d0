import { type Places, WorkPool } from '../../platform/lifecycle/work-pool';
import { runAs } from '../../platform/requests/current-work';
import type { Delivery, DeliveryChunk } from './inbox.store';

interface Source {
  /** The maximum number of repositories that are processed in parallel. */
  readonly width: number;
  claim(repositories: number, except: readonly string[]): Promise<readonly DeliveryChunk[]>;
  process(chunk: DeliveryChunk): Promise<void>;
  report(message: string, error: unknown): void;
}

interface Piece extends DeliveryChunk {
  /** Set if the delivery was prefetched, not claimed: then only deliveries that came later may wait behind it. */
  readonly isPrefetched?: boolean;
}

/** A slot and a repository, reserved for one delivery. Always call `end`. */
interface Prefetch {
  process(delivery: Delivery): void;
  end(): void;
}

function describe({ repositoryId }: Piece): string {
  return `host events of repository ${repositoryId}`;
}

/** Processes deliveries, one chunk of a repository at a time. */
export class DeliveryPool {
  private readonly inProgress = new Set<string>();
  /** Repositories in progress that have new deliveries. */
  private readonly dueAgain = new Set<string>();
  private readonly pool: WorkPool<Piece>;

  constructor(private readonly source: Source) {
    this.pool = new WorkPool<Piece>({
      width: source.width,
      claim: (free) => source.claim(free, [...this.inProgress]),
      carryOut: (piece) => runAs(piece, describe, () => this.carryOut(piece)),
      report: (message, error) => source.report(message, error),
      areIndependent: true,
    });
  }

  /** Looks for due deliveries. `repositoryId`: the repository for which a delivery is due. */
  wake(repositoryId?: string): void {
    if (repositoryId !== undefined && this.inProgress.has(repositoryId)) this.dueAgain.add(repositoryId);
    else this.pool.wake();
  }

  /**
   * Reserves a slot for a delivery that is about to be stored, so that the delivery needs no claim. Null if no slot is
   * free, or the repository is in progress.
   */
  prefetch(repositoryId: string): Prefetch | null {
    if (this.inProgress.has(repositoryId)) return null;
    const reservation = this.pool.reserve();
    if (reservation.keep(1) === 0) return null;
    this.inProgress.add(repositoryId);
    let isBegun = false;
    return {
      process: (delivery) => {
        isBegun = true;
        reservation.carryOut([{ repositoryId, deliveries: [delivery], isPrefetched: true }]);
      },
      end: () => {
        if (!isBegun) this.release(repositoryId, false);
        reservation.end();
      },
    };
  }

  /** Resolves when nothing is in progress or due. */
  idle(): Promise<void> {
    return this.pool.idle();
  }

  finish(): Promise<void> {
    return this.pool.finish();
  }

  private async carryOut({ repositoryId, isPrefetched = false, ...chunk }: Piece): Promise<void> {
    this.inProgress.add(repositoryId);
    try {
      await this.source.process({ repositoryId, ...chunk });
    } finally {
      this.release(repositoryId, !isPrefetched);
    }
  }

  places(): Places {
    return this.pool.places();
  }

  private release(repositoryId: string, mayBeMore: boolean): void {
    this.inProgress.delete(repositoryId);
    if (this.dueAgain.delete(repositoryId) || mayBeMore) this.pool.wake();
  }
}
