import { Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RequireCapability } from '../../../platform/auth/access.decorators';
import type { Caller } from '../../../platform/auth/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { Clock } from '../../../platform/clock/clock';
import { OwnBody } from '../../../platform/http/own-body';
import type { RepositoryName } from '../../../platform/repository-name';
import { TestDetailsService } from '../../../test-health/http/details/test-details.service';
import { TestListsService } from '../../../test-health/http/lists/test-lists.service';
import { SetQuarantineRequest } from '../../../test-health/http/quarantine/dto/set-quarantine.dto';
import { QuarantineService } from '../../../test-health/http/quarantine/quarantine.service';
import { answerForm, checkedRequest, type RefusedForm, textIn } from '../../form';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import { doneNote, donePath } from '../../parts/done-note';
import { type Question, askedRepository } from '../../question';
import { CurrentForm, type SentForm } from '../../sent-form';
import { CurrentVisit, type Visit } from '../../visit';
import { testPage } from './test.view';
import {
  rowOfQuarantined,
  rowOfTest,
  type ShownTests,
  TEST_LISTS,
  type TestListName,
  testListPage,
} from './tests.view';

const PAGE_SIZE = 50;
const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;

@PageController('tests')
export class TestsController {
  constructor(
    private readonly lists: TestListsService,
    private readonly details: TestDetailsService,
    private readonly quarantine: QuarantineService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(
    @CurrentVisit() visit: Visit,
    @CurrentCaller() caller: Caller,
    @Query() question: Question,
  ): Promise<Html> {
    const repo = askedRepository(question);
    const counts = await this.count(caller, repo);
    const list = TEST_LISTS.find((name) => name === question.list) ?? TEST_LISTS.find((name) => counts[name] > 0);
    const token = typeof question.page === 'string' ? question.page : '';
    const read = await this.read(caller, repo, list ?? 'broken', PAGE_SIZE, token);
    return testListPage(visit, repo, { list: list ?? 'broken', ...read, counts });
  }

  @Get(':id')
  show(
    @CurrentVisit() visit: Visit,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { done }: Question,
  ): Promise<Html> {
    return this.draw(visit, caller, id, { done, refused: null });
  }

  @Post('quarantine')
  @RequireCapability('administer')
  @OwnBody('form')
  setQuarantine(@CurrentForm() { visit, caller, action, typed }: SentForm, @Res() response: Response): Promise<void> {
    const id = textIn(typed, 'test');
    return answerForm(response, {
      work: async () => {
        const { repo } = await this.details.readById(caller, id);
        const [setting, reason] = [textIn(typed, 'setting'), textIn(typed, 'reason').trim()];
        const wanted = { repo, org_url_slug: caller.organizationSlug, test_case_id: id, setting, reason };
        await this.quarantine.set(caller, await checkedRequest(SetQuarantineRequest, wanted));
        return donePath(`/ui/tests/${id}`, 'quarantine_set');
      },
      again: (problem) => this.draw(visit, caller, id, { done: undefined, refused: { action, problem, typed } }),
    });
  }

  private async draw(
    visit: Visit,
    caller: Caller,
    id: string,
    { done, refused }: { readonly done: unknown; readonly refused: RefusedForm | null },
  ): Promise<Html> {
    const { repo, details } = await this.details.readById(caller, id);
    return testPage(visit, { repo, details, refused, done: doneNote(done), now: this.clock.now() });
  }

  private async count(caller: Caller, repo: RepositoryName): Promise<ShownTests['counts']> {
    const found = await Promise.all(TEST_LISTS.map((name) => this.read(caller, repo, name, 1)));
    const counts = TEST_LISTS.map((name, index) => [name, found[index]!.page.total_rows]);
    return Object.fromEntries(counts) as ShownTests['counts'];
  }

  private async read(
    caller: Caller,
    repo: RepositoryName,
    list: TestListName,
    size: number,
    token = '',
  ): Promise<Pick<ShownTests, 'rows' | 'page'>> {
    const asked = {
      repo,
      org_url_slug: caller.organizationSlug,
      page_query: { page_size: size, page_token: token },
    };
    if (list === 'quarantined') {
      const { quarantined_tests, page } = await this.lists.listQuarantined(caller, asked);
      return { rows: quarantined_tests.map(rowOfQuarantined), page };
    }
    const { tests, page } = await (list === 'failing'
      ? this.lists.listFailing(caller, { ...asked, ...this.lastWeek() })
      : this.lists.listUnhealthy(caller, { ...asked, status: list }));
    return { rows: tests.map(rowOfTest), page };
  }

  /** Up to the end of this hour: the token of a page is good for one question, and this is one for a while. */
  private lastWeek(): { readonly start_time: string; readonly end_time: string } {
    const end = Math.ceil(this.clock.now().getTime() / HOUR_MS) * HOUR_MS;
    return { start_time: new Date(end - WEEK_MS).toISOString(), end_time: new Date(end).toISOString() };
  }
}
