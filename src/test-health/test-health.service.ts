import { Injectable } from '@nestjs/common';
import type { TestCase } from '../generated/prisma/client';
import { requireOwnSlug } from '../platform/auth/organization-slug';
import type { Caller } from '../platform/auth/caller';
import { Clock } from '../platform/clock/clock';
import { Config } from '../platform/config/config';
import { PrismaService } from '../platform/database/prisma.service';
import { type LocatedRepository, QueueLocator } from '../shared/queue-locator';
import type {
  ListFailingTestsRequest,
  ListQuarantinedTestsRequest,
  ListTestsRequest,
  ListUnhealthyTestsRequest,
} from './dto/list-requests.dto';
import type { FailingTests, QuarantinedTests, UnhealthyTests } from './dto/test-lists.dto';
import { type OpenPage, openPage, pageOf } from './paging';
import { failingTestItem, quarantinedTestItem, testCaseItem } from './test-case.view';
import { commonFailures, countFailing, failingIds, recentResults } from './test-results';

@Injectable()
export class TestHealthService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async listFailing(caller: Caller, request: ListFailingTestsRequest): Promise<FailingTests> {
    const { start_time, end_time } = request;
    const { page, repository } = await this.open(caller, request, ['failing', start_time, end_time]);
    const range = { repositoryId: repository.id, start: new Date(start_time), end: new Date(end_time) };
    const total = await countFailing(this.prisma, range);
    const ids = await failingIds(this.prisma, range, page);
    const [rows, failures, recent] = await Promise.all([
      this.prisma.testCase.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } }),
      commonFailures(this.prisma, ids, range),
      this.recentOf(ids),
    ]);
    const tests = rows.map((row) => {
      const own = failures.filter((failure) => failure.testCaseId === row.id);
      return failingTestItem(row, recent.get(row.id), own, this.addresses(repository));
    });
    return { tests, page: pageOf(page, total) };
  }

  async listUnhealthy(caller: Caller, request: ListUnhealthyTestsRequest): Promise<UnhealthyTests> {
    const { status } = request;
    const { page, repository } = await this.open(caller, request, ['unhealthy', status]);
    const { total, rows } = await this.rowsOf(page, { repositoryId: repository.id, status });
    const recent = await this.recentOf(rows.map((row) => row.id));
    const tests = rows.map((row) => testCaseItem(row, recent.get(row.id), this.addresses(repository)));
    return { tests, page: pageOf(page, total) };
  }

  async listQuarantined(caller: Caller, request: ListQuarantinedTestsRequest): Promise<QuarantinedTests> {
    const { page, repository } = await this.open(caller, request, ['quarantined']);
    const { total, rows } = await this.rowsOf(page, { repositoryId: repository.id, quarantined: true });
    return { quarantined_tests: rows.map(quarantinedTestItem), page: pageOf(page, total) };
  }

  /** In the order of the interface's checks: the token of the page, the slug, the repository. */
  private async open(caller: Caller, request: ListTestsRequest, filters: readonly string[]) {
    const { repo, org_url_slug, page_query } = request;
    const page = openPage(page_query, [...filters, org_url_slug, repo.host, repo.owner, repo.name]);
    requireOwnSlug(caller, org_url_slug);
    return { page, repository: await this.locator.repository(caller, repo) };
  }

  private async rowsOf(
    { index, size }: OpenPage,
    where: { repositoryId: string; status?: string; quarantined?: boolean },
  ): Promise<{ total: number; rows: TestCase[] }> {
    const [total, rows] = await Promise.all([
      this.prisma.testCase.count({ where }),
      this.prisma.testCase.findMany({ where, orderBy: { id: 'asc' }, skip: index * size, take: size }),
    ]);
    return { total, rows };
  }

  private async recentOf(ids: readonly string[]) {
    const rows = await recentResults(this.prisma, ids, this.clock.now());
    return new Map(rows.map((row) => [row.testCaseId, row]));
  }

  private addresses(repository: LocatedRepository) {
    return { publicUrl: this.config.publicUrl, repository };
  }
}
