import { Get, Param, Query } from '@nestjs/common';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { Clock } from '../../platform/clock/clock';
import { DomainError } from '../../platform/errors/domain-error';
import { ERROR_CODES } from '../../platform/errors/error-codes';
import { QueueLocator } from '../../modules/shared/queue-locator';
import { Html } from '../html';
import { PageController } from '../page-controller';
import { queueShell } from '../parts/queue-shell';
import { page } from '../parts/shell';
import { askedBranch, askedRepository, type Question } from '../question';
import { CurrentVisit, may, type Visit } from '../visit';
import { TeamPages } from './team-pages';

/**
 * The pages of extensions in the frame of our pages. A page does not get the request, so it cannot set headers or skip
 * checks.
 */
@PageController('x')
export class TeamPagesController {
  constructor(
    private readonly pages: TeamPages,
    private readonly locator: QueueLocator,
    private readonly clock: Clock,
  ) {}

  @Get(':path')
  async show(
    @CurrentVisit() visit: Visit,
    @CurrentCaller() caller: Caller,
    @Param('path') path: string,
    @Query() question: Question,
  ): Promise<Html> {
    const found = this.pages.at(path);
    if (found === undefined || !may(visit, found.capability ?? 'read')) {
      throw new DomainError('NOT_FOUND', ERROR_CODES.NOT_FOUND.example);
    }
    const asked = { repo: askedRepository(question), targetBranch: askedBranch(question) };
    const { id: queueId, branch, repository } = await this.locator.queue(caller, asked);
    const { id: repositoryId, host, owner, name } = repository;
    const repo = { host, owner, name };
    const of = { caller, personName: visit.personName, queueId, repositoryId, repo, targetBranch: branch };
    const body: unknown = await found.page.render({ ...of, question, now: this.clock.now() });
    if (!(body instanceof Html)) throw new TypeError(`The page ${path} was not drawn by html\`\`.`);
    return page(visit, {
      ...queueShell({ visit, repo, branch }, `x/${path}`),
      title: `${found.title ?? found.tab} of ${owner}/${name} ${branch}`,
      body,
    });
  }
}
