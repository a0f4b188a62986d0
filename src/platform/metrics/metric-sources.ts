import { Injectable, Logger } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { DatabaseOutage } from '../database/database-outage';

/** Reads current values into the registry of one scrape. */
export type MetricSource = (registry: Registry) => void | Promise<void>;

/**
 * Metrics that are read at each scrape of /metrics, in addition to the counters of the process. If a source fails, the
 * scrape still contains the metrics of all other sources. `sluice_metrics_source_up` is 0 for a failed source.
 */
@Injectable()
export class MetricSources {
  private readonly logger = new Logger(MetricSources.name);
  private readonly sources = new Map<string, MetricSource>();

  constructor(private readonly outage: DatabaseOutage) {}

  register(name: string, source: MetricSource): void {
    this.sources.set(name, source);
  }

  async read(): Promise<readonly Registry[]> {
    const read = await Promise.all([...this.sources].map(([name, source]) => this.readOne(name, source)));
    const own = new Registry();
    const up = new Gauge({
      name: 'sluice_metrics_source_up',
      help: '1 if this part of /metrics could be read, else 0.',
      labelNames: ['source'],
      registers: [own],
    });
    for (const { name, registry } of read) up.set({ source: name }, registry === null ? 0 : 1);
    return [own, ...read.flatMap(({ registry }) => registry ?? [])];
  }

  private async readOne(name: string, source: MetricSource): Promise<{ name: string; registry: Registry | null }> {
    const registry = new Registry();
    try {
      await source(registry);
      return { name, registry };
    } catch (error) {
      this.outage.report(this.logger, `/metrics misses ${name}`, error, 'warn');
      return { name, registry: null };
    }
  }
}
