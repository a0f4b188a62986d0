import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock';
import { HealthProbes, type ProbeResult } from '../health/health-probes';
import { newId } from '../ids';
import { Background } from '../lifecycle/background';
import { backoff } from '../lifecycle/backoff';
import { Lifecycle } from '../lifecycle/lifecycle';
import { type Places, WorkPool, type Reservation } from '../lifecycle/work-pool';
import { runAs } from '../requests/current-work';
import { Wakeups, type WakeupTopic } from '../wakeups/wakeups';
import { WorkerPlaces } from './worker-places';

/** Until `leaseUntil`, only this worker may carry out the claimed piece. Then any worker may claim the piece again. */
export interface Lease {
  readonly leasedBy: string;
  readonly leaseUntil: Date;
}

export interface Claim extends Lease {
  readonly now: Date;
}

/** The work of a worker on rows of PostgreSQL: how it claims due rows and carries them out. */
export interface DurableWork<Item extends object | string> {
  /** The maximum number of pieces in progress in this process. */
  readonly width: number;
  /** Absent: claims take no lease, because a lock keeps other workers away. */
  readonly leaseMs?: number;
  /** Claims at most `free` due pieces. */
  claim(free: number, claim: Claim): Promise<readonly Item[]>;
  /** Names the piece for people, in the log of a process that hangs. */
  describe(item: Item): string;
  /**
   * Carries out a piece, and stores its result or the time of its next try. The worker reports an error that this
   * method throws.
   */
  carryOut(item: Item): Promise<void>;
  /** Called three times per lease until `carryOut` ends. Absent: a lease is longer than any piece takes. */
  renew?(item: Item, leaseUntil: Date): Promise<unknown>;
  report(message: string, error: unknown, as?: 'warn'): void;
  /** True: the end of a piece makes no other piece due. Absent: another piece may become due. */
  readonly areIndependent?: boolean;
}

/** A part of a worker that is woken, drained and asked for its health. */
interface Pool {
  finish(): Promise<void>;
  places(): Places;
  health?(): ProbeResult;
}

interface Registration {
  readonly topic: WakeupTopic;
  /** Called for each wake-up of the topic. */
  readonly wake: (id?: string) => void;
  readonly pools: readonly Pool[];
}

/** Makes the workers of this process, and connects them to wake-ups, the graceful stop and /readyz. */
@Injectable()
export class DurableWorkers {
  constructor(
    private readonly clock: Clock,
    private readonly wakeups: Wakeups,
    private readonly background: Background,
    private readonly lifecycle: Lifecycle,
    private readonly probes: HealthProbes,
    private readonly places: WorkerPlaces,
  ) {}

  /** False in `sluice doctor`, and in tests that call each worker. */
  get areOn(): boolean {
    return this.background.isOn;
  }

  create<Item extends object | string>(work: DurableWork<Item>): DurableWorker<Item> {
    return new DurableWorker(work, this.clock, this.background);
  }

  /** /readyz and /metrics show `name`, and so does the log line of a stop that no longer waits for this worker. */
  start(name: string, { topic, wake, pools }: Registration): void {
    this.wakeups.on(topic, wake);
    this.places.register(name, pools);
    this.lifecycle.onDrain(name, async () => void (await Promise.all(pools.map((pool) => pool.finish()))));
    const asked = pools.filter((pool) => pool.health !== undefined);
    if (this.background.isOn && asked.length > 0) this.probes.register(name, () => firstProblem(asked));
  }
}

/**
 * Carries out each due row at least once. A worker that dies leaves its pieces leased; another worker claims them when
 * the lease has run out. In processes without background jobs, only `drain` claims.
 */
export class DurableWorker<Item extends object | string> {
  private readonly id = newId();
  private readonly pool: WorkPool<Item>;

  constructor(
    private readonly work: DurableWork<Item>,
    private readonly clock: Clock,
    private readonly background: Background,
  ) {
    const describe = (item: Item) => work.describe(item);
    this.pool = new WorkPool<Item>({
      width: work.width,
      claim: (free) => this.claim(free),
      carryOut: (item) =>
        runAs(item, describe, () => (work.renew ? this.carryOutUnderLease(item) : work.carryOut(item))),
      report: (message, error) => work.report(message, error),
      ...(work.areIndependent !== undefined && { areIndependent: work.areIndependent }),
    });
  }

  /** Claims due pieces, if background jobs are on. */
  wake(): void {
    if (this.background.isOn) this.pool.wake();
  }

  /** A piece that was carried out made another piece due, which `drain` must carry out too. */
  claimMore(): void {
    this.pool.wake();
  }

  /** Carries out a piece that is known to be due. If a slot is free, the piece needs no claim. */
  offer(item: Item): void {
    if (this.background.isOn) this.pool.offer(item);
  }

  reserve(): Reservation<Item> {
    return this.pool.reserve();
  }

  /** Claims and carries out pieces until no piece is due, even if background jobs are off. */
  drain(): Promise<void> {
    return this.pool.idle();
  }

  /** Claims nothing more, and resolves when no piece is in progress. */
  finish(): Promise<void> {
    return this.pool.finish();
  }

  health(): ProbeResult {
    return this.pool.health();
  }

  places(): Places {
    return this.pool.places();
  }

  /** A lease that begins at `now`. */
  lease(now: Date = this.clock.now()): Lease {
    return { leasedBy: this.id, leaseUntil: new Date(now.getTime() + (this.work.leaseMs ?? 0)) };
  }

  /** The time of the next try of a piece after `failures` failures: after the backoff, and not before `earliest`. */
  retryAt(failures: number, earliest?: Date): Date {
    return new Date(Math.max(this.clock.now().getTime() + backoff(failures), earliest?.getTime() ?? 0));
  }

  private claim(free: number): Promise<readonly Item[]> {
    const now = this.clock.now();
    return this.work.claim(free, { ...this.lease(now), now });
  }

  private async carryOutUnderLease(item: Item): Promise<void> {
    const { work } = this;
    const renewal = setInterval(
      () => {
        const renewed = work.renew?.(item, this.lease().leaseUntil);
        renewed?.catch((error: unknown) => work.report('A lease was not renewed', error, 'warn'));
      },
      (work.leaseMs ?? 0) / 3,
    );
    renewal.unref();
    try {
      await work.carryOut(item);
    } finally {
      clearInterval(renewal);
    }
  }
}

function firstProblem(pools: readonly Pool[]): ProbeResult {
  return pools.map((pool) => pool.health?.() ?? 'ok').find((result) => result !== 'ok') ?? 'ok';
}
