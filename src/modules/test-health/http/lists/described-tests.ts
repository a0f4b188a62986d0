import { Injectable } from '@nestjs/common';
import type { TestCase } from '../../../../generated/prisma/client';
import { Clock } from '../../../../platform/clock/clock';
import { Config } from '../../../../platform/config/config';
import { PrismaService } from '../../../../platform/database/prisma.service';
import type { HostRepository } from '../../../../domain/host-repository';
import type { TimeRange } from '../../rules/days';
import { commonFailures, leftOutFailures } from '../../storage/queries/failing-tests';
import type { FailingTestItem, TestCaseItem } from './dto/test-lists.dto';
import { failureRates, impactedPullRequests } from '../../storage/queries/recent-results';
import { failingTestItem, testCaseItem } from './test-case.record';

/** Makes list items from tests and their results. */
@Injectable()
export class DescribedTests {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async describe(repository: HostRepository, rows: readonly TestCase[]): Promise<TestCaseItem[]> {
    const addresses = { publicUrl: this.config.publicUrl, repository };
    const ids = rows.map((row) => row.id);
    const impacted = await impactedPullRequests(this.prisma, ids, this.clock.now());
    return rows.map((row) => testCaseItem(row, impacted.get(row.id), addresses));
  }

  /** Adds failure rates, the most common failures in the range, and how many of these failures monitors ignore. */
  async describeFailing(
    repository: HostRepository,
    ids: readonly string[],
    range: TimeRange,
  ): Promise<FailingTestItem[]> {
    const [items, failures, rates, leftOut] = await Promise.all([
      this.itemsOf(repository, ids),
      commonFailures(this.prisma, ids, range),
      failureRates(this.prisma, ids, this.clock.now()),
      leftOutFailures(this.prisma, repository.id, ids, range),
    ]);
    return items.map((item) => {
      const own = failures.filter((failure) => failure.testCaseId === item.id);
      return failingTestItem(item, rates.get(item.id), own, leftOut.get(item.id));
    });
  }

  private async itemsOf(repository: HostRepository, ids: readonly string[]): Promise<TestCaseItem[]> {
    const rows = await this.prisma.testCase.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'asc' } });
    return this.describe(repository, rows);
  }
}
