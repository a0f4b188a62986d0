import { Injectable } from '@nestjs/common';
import { type Caller, repositoriesOf } from '../../platform/requests/caller';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { parseRepositoryPath } from '../../platform/repository-name';
import { QueueTotals } from '../views/queue-totals';
import { QueueLocator } from '../shared/queue-locator';
import type { MetricsQuery } from './metrics-query.dto';
import { BUCKETS, type MeasuredQueue, registryOf } from './metrics-registry';
import { countMoves, countNow, queueDurations, testDurations, waitDurations } from './queue-counts';

const HOUR_MS = 3_600_000;

@Injectable()
export class MetricsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly totals: QueueTotals,
    private readonly clock: Clock,
  ) {}

  /** Prometheus text about the existing queues that the caller may see, or about one repository. */
  async read(caller: Caller, query: MetricsQuery): Promise<string> {
    const until = this.clock.now();
    const window = { since: new Date(until.getTime() - HOUR_MS), until };
    const queues = await this.queuesOf(caller, query);
    const ids = queues.map((queue) => queue.id);
    const [now, moves, waits, tests, stays, totals] = await Promise.all([
      countNow(this.prisma, ids),
      countMoves(this.prisma, ids, window),
      waitDurations(this.prisma, ids, window),
      testDurations(this.prisma, ids, window),
      queueDurations(this.prisma, ids, window),
      this.totals.read(ids, BUCKETS),
    ]);
    return registryOf(queues, { now, moves, waits, tests, stays, totals }).metrics();
  }

  private async queuesOf(caller: Caller, { repo, repoHost }: MetricsQuery): Promise<MeasuredQueue[]> {
    const repositoryId = await this.repositoryId(caller, repo, repoHost);
    const rows = await this.prisma.queue.findMany({
      where: { liveBranch: { not: null }, repositoryId, repository: repositoriesOf(caller) },
      select: { id: true, branch: true, repository: { select: { host: true, owner: true, name: true } } },
      orderBy: [{ repositoryId: 'asc' }, { branch: 'asc' }],
    });
    return rows.map(({ id, branch, repository: { host, owner, name } }) => ({
      id,
      branch,
      host,
      repo: `${owner}/${name}`,
    }));
  }

  private async repositoryId(caller: Caller, repo?: string, host?: string): Promise<string | undefined> {
    const path = parseRepositoryPath(repo ?? '');
    if (path === null || host === undefined) return undefined;
    return (await this.locator.repository(caller, { host, ...path })).id;
  }
}
