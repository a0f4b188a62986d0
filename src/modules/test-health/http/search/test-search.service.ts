import { Injectable } from '@nestjs/common';
import { requireOwnSlug } from '../../../../platform/auth/organization-slug';
import type { Caller } from '../../../../platform/requests/caller';
import { Clock } from '../../../../platform/clock/clock';
import { PrismaService } from '../../../../platform/database/prisma.service';
import { QueueLocator } from '../../../shared/queue-locator';
import { calendarDays } from '../../rules/days';
import { outcomesByDayOf } from '../../storage/queries/outcome-counts';
import { failureRates } from '../../storage/queries/recent-results';
import { sortedTests, testTotals } from '../../storage/queries/sorted-tests';
import { DescribedTests } from '../lists/described-tests';
import { openNumberedPage, numberedPageInfo } from '../lists/paging';
import type { FindTestsRequest, FoundTestItem, FoundTests } from './dto/find-tests.dto';
import type { HostRepository } from '../../../../domain/host-repository';

const DAYS_SHOWN = 14;

/** Finds tests by words, most disturbing first. */
@Injectable()
export class TestSearchService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly tests: DescribedTests,
    private readonly clock: Clock,
  ) {}

  /** Errors: VALIDATION_FAILED for a token of another request, ORGANIZATION_MISMATCH, REPOSITORY_NOT_FOUND. */
  async find(caller: Caller, request: FindTestsRequest): Promise<FoundTests> {
    const {
      repo,
      org_url_slug,
      page_query,
      choice = 'unhealthy',
      search = '',
      sort = 'pull_requests_impacted',
    } = request;
    const question = ['found', org_url_slug, repo.host, repo.owner, repo.name, choice, search, sort];
    const page = openNumberedPage(page_query, question);
    requireOwnSlug(caller, org_url_slug);
    const repository = await this.locator.repository(caller, repo);
    const place = { repositoryId: repository.id, now: this.clock.now() };
    const words = search.split(/\s+/).filter((word) => word !== '');
    const [found, totals] = await Promise.all([
      sortedTests(this.prisma, place, { choice, words, order: sort, ...page }),
      testTotals(this.prisma, place),
    ]);
    return {
      tests: await this.describe(repository, found.ids, place.now),
      pull_requests_impacted_last_7d: found.pullRequestsImpacted,
      totals,
      page: numberedPageInfo(page, found.total),
    };
  }

  private async describe(repository: HostRepository, ids: readonly string[], now: Date): Promise<FoundTestItem[]> {
    const rows = await this.prisma.testCase.findMany({ where: { id: { in: [...ids] } } });
    const [items, rates, outcomes] = await Promise.all([
      this.tests.describe(repository, rows),
      failureRates(this.prisma, ids, now),
      outcomesByDayOf(this.prisma, ids, calendarDays(now, DAYS_SHOWN)),
    ]);
    const described = new Map(
      rows.map((row, index) => [row.id, { ...items[index]!, quarantine_setting: row.quarantineSetting }]),
    );
    const daysOf = (id: string) =>
      outcomes
        .filter(({ testCaseId }) => testCaseId === id)
        .map(({ day, passed, failed, skipped }) => ({ day, passed, failed, skipped }));
    return ids.flatMap((id) => {
      const item = described.get(id);
      // A test is absent if it has just been removed.
      if (item === undefined) return [];
      return [{ ...item, failure_rate_last_7d: rates.get(id)?.last7Days ?? 0, days: daysOf(id) }];
    });
  }
}
