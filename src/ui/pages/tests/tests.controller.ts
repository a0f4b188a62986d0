import { Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RequireCapability } from '../../../platform/auth/access.decorators';
import type { Caller } from '../../../platform/requests/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { Clock } from '../../../platform/clock/clock';
import { OwnBody } from '../../../platform/http/own-body';
import { TestDetailsService } from '../../../modules/test-health/http/details/test-details.service';
import { SetQuarantineRequest } from '../../../modules/test-health/http/quarantine/dto/set-quarantine.dto';
import { QuarantineService } from '../../../modules/test-health/http/quarantine/quarantine.service';
import { type FoundTests, MAX_SEARCH } from '../../../modules/test-health/http/search/dto/find-tests.dto';
import { TestSearchService } from '../../../modules/test-health/http/search/test-search.service';
import { answerForm, checkedRequest, textIn } from '../../form';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import { doneNote, donePath } from '../../parts/done-note';
import { type Question, askedRepository } from '../../question';
import { CurrentForm, type SentForm } from '../../sent-form';
import { CurrentVisit, type Visit } from '../../visit';
import { type ShownTest, testPage } from './test.view';
import { type AskedTestList, LISTED_CHOICES, SORTED_BY, testListPage } from './tests.view';

const PAGE_SIZE = 50;

@PageController('tests')
export class TestsController {
  constructor(
    private readonly search: TestSearchService,
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
    const asked = { ...askedList(question), repo: askedRepository(question) };
    const found = await this.find(caller, asked, textIn(question, 'page'));
    const { broken, flaky, failing } = found.totals;
    const isElsewhere = question.list === undefined && asked.search === '' && broken + flaky === 0 && failing > 0;
    if (!isElsewhere) return testListPage(visit, asked, found, this.clock.now());
    const failed: AskedTestList = { ...asked, choice: 'failing' };
    return testListPage(visit, failed, await this.find(caller, failed, ''), this.clock.now());
  }

  @Get(':id')
  show(
    @CurrentVisit() visit: Visit,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { done, quarantine }: Question,
  ): Promise<Html> {
    return this.draw(visit, caller, id, { done, refused: null, asksQuarantine: quarantine !== undefined });
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
      again: (problem) =>
        this.draw(visit, caller, id, { done: undefined, refused: { action, problem, typed }, asksQuarantine: false }),
    });
  }

  private async draw(
    visit: Visit,
    caller: Caller,
    id: string,
    { done, ...shown }: Pick<ShownTest, 'refused' | 'asksQuarantine'> & { readonly done: unknown },
  ): Promise<Html> {
    const { repo, details } = await this.details.readById(caller, id);
    return testPage(visit, { repo, details, ...shown, done: doneNote(done), now: this.clock.now() });
  }

  private find(caller: Caller, { repo, choice, sort, search }: AskedTestList, token: string): Promise<FoundTests> {
    return this.search.find(caller, {
      ...{ repo, org_url_slug: caller.organizationSlug, page_query: { page_size: PAGE_SIZE, page_token: token } },
      ...{ choice, sort, ...(search !== '' && { search }) },
    });
  }
}

/** An unknown list name means the first list, because links may use list names of an older version. */
function askedList(question: Question): Omit<AskedTestList, 'repo'> {
  const [list, sort] = [textIn(question, 'list'), textIn(question, 'sort')];
  return {
    choice: LISTED_CHOICES.find((one) => one === list) ?? 'unhealthy',
    sort: isSort(sort) ? sort : 'pull_requests_impacted',
    search: textIn(question, 'q').trim().slice(0, MAX_SEARCH),
  };
}

function isSort(text: string): text is keyof typeof SORTED_BY {
  return Object.hasOwn(SORTED_BY, text);
}
