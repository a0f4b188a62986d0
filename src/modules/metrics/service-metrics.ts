import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { MetricSources } from '../../platform/metrics/metric-sources';
import { countBacklogs, countEntries, countHosts, countQueues, dueSince } from './service-counts';

const ENTRY_STATES = ['not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure'];
const QUEUE_STATES = ['running', 'paused', 'draining', 'switching_modes'];

/**
 * The metrics of the whole service at /metrics, for its operators: sums over all organizations, without names of
 * repositories. All values come from the database, so every process answers the same.
 */
@Injectable()
export class ServiceMetrics implements OnModuleInit {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly sources: MetricSources,
  ) {}

  onModuleInit(): void {
    this.sources.register('queues', (registry) => this.readQueues(registry));
    this.sources.register('backlogs', (registry) => this.readBacklogs(registry));
    this.sources.register('hosts', (registry) => this.readHosts(registry));
  }

  private async readQueues(registry: Registry): Promise<void> {
    const now = this.clock.now();
    const [entries, queues, due] = await Promise.all([
      countEntries(this.prisma),
      countQueues(this.prisma),
      dueSince(this.prisma, now),
    ]);
    const inState = gauge(registry, 'sluice_entries', 'Pull requests in queues, by state.', ['state']);
    for (const state of ENTRY_STATES) inState.set({ state }, 0);
    for (const { state, count } of entries) inState.set({ state }, count);
    const ready = entries.filter(({ state }) => state !== 'not_ready').map((row) => row.oldestSubmittedAt);
    const oldest = gauge(
      registry,
      'sluice_oldest_entry_seconds',
      'Age of the oldest ready pull request that has not concluded, counted from its submission; 0: there is none.',
    );
    oldest.set(secondsSince(earliest(ready), now));
    const queuesIn = gauge(registry, 'sluice_queues', 'Queues, by state.', ['state']);
    for (const state of QUEUE_STATES) queuesIn.set({ state }, 0);
    for (const { state, count } of queues) queuesIn.set({ state }, count);
    const failing = queues.reduce((sum, row) => sum + row.failing, 0);
    gauge(registry, 'sluice_queues_failing', 'Queues whose last decision failed.').set(failing);
    gauge(
      registry,
      'sluice_decision_lag_seconds',
      'Delay of the most overdue decision of a queue; 0: no decision is due.',
    ).set(secondsSince(due, now));
  }

  private async readBacklogs(registry: Registry): Promise<void> {
    const now = this.clock.now();
    const waiting = gauge(registry, 'sluice_backlog', 'Items that wait for a worker or are in progress.', ['store']);
    const oldest = gauge(registry, 'sluice_backlog_oldest_seconds', 'Age of the oldest such item; 0: there is none.', [
      'store',
    ]);
    const dead = gauge(registry, 'sluice_outbox_dead', 'Tasks at code hosts that were given up and are still kept.');
    for (const row of await countBacklogs(this.prisma)) {
      waiting.set({ store: row.store }, row.waiting);
      oldest.set({ store: row.store }, secondsSince(row.oldest, now));
      if (row.store === 'outbox') dead.set(row.givenUp);
    }
  }

  private async readHosts(registry: Registry): Promise<void> {
    const now = this.clock.now();
    const known = gauge(registry, 'sluice_host_repositories', 'Repositories, by code host.', ['host']);
    const silent = gauge(
      registry,
      'sluice_host_unreachable_repositories',
      'Repositories for which the code host does not answer.',
      ['host'],
    );
    const since = gauge(
      registry,
      'sluice_host_unreachable_seconds',
      'How long the code host has not answered for at least one repository; 0: it answers for all.',
      ['host'],
    );
    for (const { host, repositories, unreachable, unreachableSince } of await countHosts(this.prisma)) {
      known.set({ host }, repositories);
      silent.set({ host }, unreachable);
      since.set({ host }, secondsSince(unreachableSince, now));
    }
  }
}

function gauge(registry: Registry, name: string, help: string, labelNames: readonly string[] = []): Gauge {
  return new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
}

function earliest(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null);
}

function secondsSince(then: Date | null, now: Date): number {
  return then === null ? 0 : Math.max(0, (now.getTime() - then.getTime()) / 1_000);
}
