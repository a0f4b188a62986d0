import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { type Caller, repositoriesOf } from '../../../../platform/requests/caller';
import { Clock } from '../../../../platform/clock/clock';
import { PrismaService } from '../../../../platform/database/prisma.service';
import { retiredBefore } from '../../rules/live-tests';
import { countQuarantined, countRefusedUploads, countTests, countUploads } from '../../storage/queries/test-counts';
import { testRegistryOf } from './test-metrics-registry';

const HOUR_MS = 3_600_000;

@Injectable()
export class TestMetricsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  /** Metrics of the tests of all repositories that the caller may see, without retired tests. */
  async read(caller: Caller): Promise<Registry> {
    const repositories = await this.prisma.repository.findMany({
      where: repositoriesOf(caller),
      select: { id: true, host: true, owner: true, name: true },
      orderBy: { id: 'asc' },
    });
    const ids = repositories.map(({ id }) => id);
    const now = this.clock.now();
    const since = new Date(now.getTime() - HOUR_MS);
    const [tests, quarantined, uploads, refused] = await Promise.all([
      countTests(this.prisma, ids, retiredBefore(now)),
      countQuarantined(this.prisma, ids, retiredBefore(now)),
      countUploads(this.prisma, ids, since),
      countRefusedUploads(this.prisma, ids, since),
    ]);
    return testRegistryOf(repositories, { tests, quarantined, uploads, refused });
  }
}
