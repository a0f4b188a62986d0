import { Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../../platform/requests/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { Clock } from '../../../platform/clock/clock';
import { PullRequestListsService } from '../../../modules/pull-requests/pull-request-lists.service';
import { MOST_COST_DAYS } from '../../../modules/views/flaky-costs.dto';
import type { QueueHistoryByDay } from '../../../modules/views/queue-history.dto';
import { FlakyCostsReader } from '../../../modules/views/flaky-costs';
import { QueueHistoryReader } from '../../../modules/views/queue-history';
import { isUuid } from '../../../modules/shared/text';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import { askedBranch, askedDay, askedRepository, type Question } from '../../question';
import { asPage } from '../../send-page';
import { CurrentVisit, type Visit } from '../../visit';
import { type HistoryRange, historyPage, RANGES } from './history.view';
import { historyDayPage } from './history-day.view';

const USUAL: HistoryRange = 28;
const PAGE_SIZE = 100;

@PageController('history')
export class HistoryController {
  constructor(
    private readonly history: QueueHistoryReader,
    private readonly lists: PullRequestListsService,
    private readonly flakyCosts: FlakyCostsReader,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(
    @CurrentVisit() visit: Visit,
    @CurrentCaller() caller: Caller,
    @Query() question: Question,
    @Res() response: Response,
  ): Promise<void> {
    const range = RANGES.find((days) => String(days) === question.days) ?? USUAL;
    const asked = { repo: askedRepository(question), targetBranch: askedBranch(question), take: range };
    const history = await this.history.byDay(caller, asked);
    if (question.as !== 'csv') {
      const costs = await this.flakyCosts.read(caller, { ...asked, take: Math.min(range, MOST_COST_DAYS) });
      return void response.send(asPage(historyPage(visit, { history, range, costs }), response));
    }
    response.setHeader('Cache-Control', 'no-store');
    response.attachment('queue-history.csv').type('text/csv; charset=utf-8').send(csvOf(history));
  }

  @Get('day')
  async day(@CurrentVisit() visit: Visit, @CurrentCaller() caller: Caller, @Query() question: Question): Promise<Html> {
    const [repo, targetBranch, day] = [askedRepository(question), askedBranch(question), askedDay(question)];
    const { cursor } = question;
    const listed = await this.lists.list(caller, {
      ...{ repo, targetBranch, since: `${day}T00:00:00.000Z`, until: `${day}T23:59:59.999Z`, take: PAGE_SIZE },
      ...(isUuid(cursor) && { cursor }),
    });
    const history = await this.history.byDay(caller, { repo, targetBranch, take: 1, until: day });
    const { pullRequests, nextCursor = null } = listed;
    return historyDayPage(visit, { history, day, pullRequests, cursor: nextCursor, now: this.clock.now() });
  }
}

const COLUMNS = [
  'day',
  'mergedCount',
  'failedCount',
  'cancelledCount',
  'waitedP50Ms',
  'waitedP90Ms',
  'runCount',
  'runsPerMerged',
  'etaCount',
  'etaErrorMs',
] as const;

/** The CSV contains only numbers and days, so a spreadsheet finds no formula to execute. */
function csvOf({ days }: QueueHistoryByDay): string {
  const rows = days.map((day) => COLUMNS.map((column) => day[column] ?? '').join(','));
  return `${[COLUMNS.join(','), ...rows].join('\r\n')}\r\n`;
}
