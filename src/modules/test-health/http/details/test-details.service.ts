import { Injectable } from '@nestjs/common';
import type { TestAlarm, TestQuarantineChange, TestStatusChange } from '../../../../generated/prisma/client';
import { type Caller, repositoriesOf } from '../../../../platform/requests/caller';
import { requireOwnSlug } from '../../../../platform/auth/organization-slug';
import { Clock } from '../../../../platform/clock/clock';
import { PrismaService } from '../../../../platform/database/prisma.service';
import type { RepositoryReference } from '../../../shared/repository-reference.dto';
import { QueueLocator } from '../../../shared/queue-locator';
import { calendarDays, lastDays } from '../../rules/days';
import type { RunResult } from '../../rules/tested-run';
import { evidenceOf } from '../../storage/evidence';
import { landedAs, type LandedPullRequest } from '../../storage/queries/landed-changes';
import { outcomesByDayOf } from '../../storage/queries/outcome-counts';
import {
  alarmsOf,
  failureMessages,
  type FailureRow,
  latestFailures,
  latestRuns,
  quarantineHistory,
  type LatestRunRow,
  statusHistory,
} from '../../storage/queries/test-history';
import { DescribedTests } from '../lists/described-tests';
import { isTestId } from '../dto/test-reference.dto';
import { noSuchTest } from '../refusals';
import type { GetTestDetailsRequest, LinkTicketRequest } from './dto/details-requests.dto';
import type {
  AlarmItem,
  EvidenceItem,
  FailureItem,
  FirstFailureItem,
  LatestRunItem,
  LinkedTicket,
  QuarantineChangeItem,
  StatusChangeItem,
  TestDetails,
} from './dto/test-details.dto';

const DAYS_SHOWN = 45;

@Injectable()
export class TestDetailsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly tests: DescribedTests,
    private readonly clock: Clock,
  ) {}

  /** Errors: ORGANIZATION_MISMATCH, REPOSITORY_NOT_FOUND, NOT_FOUND. */
  async read(caller: Caller, { repo, org_url_slug, test_id }: GetTestDetailsRequest): Promise<TestDetails> {
    requireOwnSlug(caller, org_url_slug);
    const repository = await this.locator.repository(caller, repo);
    const where = { id: test_id, repositoryId: repository.id };
    const row = await this.prisma.testCase.findFirst({ where, select: { id: true } });
    if (row === null) throw noSuchTest(test_id);
    const now = this.clock.now();
    const { prisma } = this;
    const [tests, statusChanges, quarantineChanges, alarms, days, runs, failures, messages] = await Promise.all([
      this.tests.describeFailing(repository, [row.id], lastDays(now, 7)),
      statusHistory(prisma, row.id),
      quarantineHistory(prisma, row.id),
      alarmsOf(prisma, row.id),
      outcomesByDayOf(prisma, [row.id], calendarDays(now, DAYS_SHOWN)),
      latestRuns(prisma, row.id),
      latestFailures(prisma, row.id),
      failureMessages(prisma, row.id),
    ]);
    const landed = await landedAs(prisma, repository.id, alarms.flatMap(firstFailuresOf));
    return {
      test: tests[0]!,
      status_history: statusChanges.map(statusChangeItem),
      quarantine_history: quarantineChanges.map(quarantineChangeItem),
      alarms: alarms.map((alarm) => alarmItem(alarm, landed)),
      days: days.map(({ day, passed, failed, skipped }) => ({ day, passed, failed, skipped })),
      latest_runs: runs.map(latestRunItem),
      latest_failures: failures.map(failureItem),
      failure_groups: messages.map(({ message, stack, ...last }) => ({ ...failureItem(last), message, stack })),
    };
  }

  /** Like `read`, but needs no repository, only the id. Errors: NOT_FOUND. */
  async readById(
    caller: Caller,
    id: string,
  ): Promise<{ readonly repo: RepositoryReference; readonly details: TestDetails }> {
    const where = { id, repository: repositoriesOf(caller) };
    const select = { repository: { select: { host: true, owner: true, name: true } } };
    const row = isTestId(id) ? await this.prisma.testCase.findFirst({ where, select }) : null;
    if (row === null) throw noSuchTest(id);
    const request = { repo: row.repository, org_url_slug: caller.organizationSlug, test_id: id };
    return { repo: row.repository, details: await this.read(caller, request) };
  }

  /** Replaces an already linked ticket. Errors: REPOSITORY_NOT_FOUND, NOT_FOUND. */
  async linkTicket(caller: Caller, request: LinkTicketRequest): Promise<LinkedTicket> {
    const { id: repositoryId } = await this.locator.repository(caller, request.repo);
    const { count } = await this.prisma.testCase.updateMany({
      where: { id: request.test_case_id, repositoryId },
      data: { ticketUrl: request.external_ticket_id },
    });
    if (count === 0) throw noSuchTest(request.test_case_id);
    return {};
  }
}

function statusChangeItem({ at, from, to, reason, evidence }: TestStatusChange): StatusChangeItem {
  return { timestamp: at.toISOString(), from, to, reason, evidence: evidenceOf(evidence).map(evidenceItem) };
}

function quarantineChangeItem(change: TestQuarantineChange): QuarantineChangeItem {
  const { at, actor, setting, quarantined, reason } = change;
  return { timestamp: at.toISOString(), actor: actor ?? '', quarantine_setting: setting, quarantined, reason };
}

function alarmItem(alarm: TestAlarm, landed: ReadonlyMap<string, LandedPullRequest>): AlarmItem {
  const { monitor, verdict, reason, raisedAt, endsWith, isFromPullRequests, evidence } = alarm;
  const [first] = firstFailuresOf(alarm);
  return {
    ...{ monitor, status: verdict, reason, raised_at: raisedAt.toISOString(), until: endsWith },
    from_pull_requests_only: isFromPullRequests,
    evidence: evidenceOf(evidence).map(evidenceItem),
    failing_since: first === undefined ? null : firstFailureItem(first, landed.get(first)),
  };
}

/** The oldest evidence of a broken test is the commit on which the test began to fail. */
function firstFailuresOf({ verdict, evidence }: TestAlarm): string[] {
  if (verdict !== 'broken') return [];
  return evidenceOf(evidence)
    .slice(0, 1)
    .map(({ run }) => run.commit);
}

function firstFailureItem(commit: string, landed: LandedPullRequest | undefined): FirstFailureItem {
  return {
    ...{ commit, pr_number: landed?.number ?? null },
    ...{ author: landed?.author ?? '', html_url: landed?.url ?? '' },
  };
}

function evidenceItem({ at, outcome, run }: RunResult): EvidenceItem {
  return { timestamp: at.toISOString(), outcome, ...reportedRunItem(run) };
}

function failureItem({ at, summary, counted, ...run }: FailureRow): FailureItem {
  return { timestamp: at.toISOString(), summary: summary ?? '', ...reportedRunItem(run), counted: counted ?? true };
}

function latestRunItem({ at, outcome, branchClass, ...run }: LatestRunRow): LatestRunItem {
  return { timestamp: at.toISOString(), outcome, branch_class: branchClass, ...reportedRunItem(run) };
}

function reportedRunItem(
  run: Pick<FailureRow, 'commit' | 'branch' | 'prNumber' | 'jobUrl'>,
): Omit<FailureItem, 'timestamp' | 'summary' | 'counted'> {
  const { commit, branch, prNumber, jobUrl } = run;
  return { commit: commit ?? '', branch: branch ?? '', pr_number: prNumber, job_url: jobUrl ?? '' };
}
