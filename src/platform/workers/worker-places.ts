import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { ServiceProcesses } from '../health/service-processes';
import type { Places } from '../lifecycle/work-pool';
import { MetricSources } from '../metrics/metric-sources';

/** A piece of a worker never takes this long: a fetch may take 15 minutes, and every other step has a shorter limit. */
const LONG_S = 60 * 60;

interface PoolOfPlaces {
  places(): Places;
}

/** A worker of a process with a place that has been held for longer than any piece takes. */
export interface HeldWorker {
  readonly worker: string;
  readonly held: number;
  readonly places: number;
  readonly longestSeconds: number;
}

/** How many places each worker of this process has, how many are held, and for how long: in /metrics and the doctor. */
@Injectable()
export class WorkerPlaces implements OnModuleInit {
  private readonly workers = new Map<string, readonly PoolOfPlaces[]>();

  constructor(
    private readonly sources: MetricSources,
    private readonly processes: ServiceProcesses,
  ) {}

  onModuleInit(): void {
    this.sources.register('workers', (registry) => this.readMetrics(registry));
    this.processes.tellAtEachBeat(() => ({ heldWorkers: this.heldForLong() }));
  }

  register(worker: string, pools: readonly PoolOfPlaces[]): void {
    this.workers.set(worker, pools);
  }

  private heldForLong(): readonly HeldWorker[] {
    return this.all().filter(({ longestSeconds }) => longestSeconds > LONG_S);
  }

  private all(): readonly HeldWorker[] {
    return [...this.workers].map(([worker, pools]) => {
      const each = pools.map((pool) => pool.places());
      const sum = (value: (places: Places) => number): number => each.reduce((total, one) => total + value(one), 0);
      const longestMs = Math.max(0, ...each.map(({ longestHeldMs }) => longestHeldMs));
      const longestSeconds = Math.round(longestMs / 1_000);
      return { worker, held: sum(({ held }) => held), places: sum(({ width }) => width), longestSeconds };
    });
  }

  private readMetrics(registry: Registry): void {
    const gauge = (name: string, help: string) =>
      new Gauge({ name, help, labelNames: ['worker'], registers: [registry] });
    const places = gauge(
      'sluice_worker_places',
      'Maximum number of work items that a worker of this process carries out at once.',
    );
    const held = gauge('sluice_worker_places_held', 'Work items that a worker of this process is carrying out.');
    const longest = gauge('sluice_worker_longest_held_seconds', 'Age of the oldest work item in progress.');
    for (const { worker, ...one } of this.all()) {
      places.set({ worker }, one.places);
      held.set({ worker }, one.held);
      longest.set({ worker }, one.longestSeconds);
    }
  }
}

/** The workers in the facts of a process. Processes of earlier versions report none. */
export function heldWorkersIn({ heldWorkers }: Readonly<Record<string, unknown>>): readonly HeldWorker[] {
  return (heldWorkers as readonly HeldWorker[] | undefined) ?? [];
}
