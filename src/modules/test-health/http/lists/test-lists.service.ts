import { Injectable } from '@nestjs/common';
import type { TestCase } from '../../../../generated/prisma/client';
import { requireOwnSlug } from '../../../../platform/auth/organization-slug';
import type { Caller } from '../../../../platform/requests/caller';
import { Clock } from '../../../../platform/clock/clock';
import { PrismaService } from '../../../../platform/database/prisma.service';
import { QueueLocator } from '../../../shared/queue-locator';
import { DescribedTests } from './described-tests';
import { instantOf } from '../../../shared/instant';
import type {
  ListFailingTestsRequest,
  ListQuarantinedTestsRequest,
  ListTestsRequest,
  ListUnhealthyTestsRequest,
} from './dto/list-requests.dto';
import type { FailingTests, QuarantinedTests, UnhealthyTests } from './dto/test-lists.dto';
import { failingPage } from '../../storage/queries/failing-tests';
import { type ListedPage, type TestFilter, testsPage } from '../../storage/queries/listed-page';
import { type OpenPage, openPage, pageInfo } from './paging';
import { quarantinedTestItem } from './test-case.record';

@Injectable()
export class TestListsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly tests: DescribedTests,
    private readonly clock: Clock,
  ) {}

  async listFailing(caller: Caller, request: ListFailingTestsRequest): Promise<FailingTests> {
    const { start_time, end_time } = request;
    const { page, repository } = await this.open(caller, request, ['failing', start_time, end_time]);
    const range = { start: instantOf(start_time), end: instantOf(end_time) };
    const found = await failingPage(this.prisma, repository.id, range, page);
    return { tests: await this.tests.describeFailing(repository, found.ids, range), page: pageInfo(page, found) };
  }

  async listUnhealthy(caller: Caller, request: ListUnhealthyTestsRequest): Promise<UnhealthyTests> {
    const { status } = request;
    const { page, repository } = await this.open(caller, request, ['unhealthy', status]);
    const { found, rows } = await this.rowsOf(page, repository.id, { status });
    return { tests: await this.tests.describe(repository, rows), page: pageInfo(page, found) };
  }

  async listQuarantined(caller: Caller, request: ListQuarantinedTestsRequest): Promise<QuarantinedTests> {
    const { page, repository } = await this.open(caller, request, ['quarantined']);
    const { found, rows } = await this.rowsOf(page, repository.id, { quarantined: true });
    return { quarantined_tests: rows.map(quarantinedTestItem), page: pageInfo(page, found) };
  }

  /** Validates in the documented order: page token, slug, repository. */
  private async open(caller: Caller, request: ListTestsRequest, filters: readonly string[]) {
    const { repo, org_url_slug, page_query } = request;
    const page = openPage(page_query, [...filters, org_url_slug, repo.host, repo.owner, repo.name]);
    requireOwnSlug(caller, org_url_slug);
    return { page, repository: await this.locator.repository(caller, repo) };
  }

  private async rowsOf(
    page: OpenPage,
    repositoryId: string,
    filter: TestFilter,
  ): Promise<{ found: ListedPage; rows: TestCase[] }> {
    const found = await testsPage(this.prisma, { repositoryId, now: this.clock.now() }, filter, page);
    // The filter applies again, because a test may have left the list since its id was found.
    const where = { id: { in: [...found.ids] }, ...filter };
    return { found, rows: await this.prisma.testCase.findMany({ where, orderBy: { id: 'asc' } }) };
  }
}
