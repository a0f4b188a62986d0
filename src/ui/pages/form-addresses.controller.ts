import { Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../platform/errors/domain-error';
import { seeOther } from '../../platform/http/see-other';
import { isUuid } from '../../modules/shared/text';
import { PageController } from '../page-controller';
import { pullRequestPath, queuePath, settingsPath } from '../parts/links';
import { askedBranch, askedNumber, askedRepository, type Question } from '../question';

/**
 * Answers to forms (a refusal, a secret, a preview) have the URL of the form. A GET of this URL, from the browser
 * history or by a reload, redirects to the page with the form. The GET does not repeat the work of the form.
 */
@PageController()
export class FormAddressesController {
  @Get(['queue/submit', 'queue/pause', 'queue/resume', 'queue/empty'])
  queue(@Query() question: Question, @Res() response: Response): void {
    lead(response, () => queuePath(askedRepository(question), askedBranch(question)));
  }

  @Get(['pull-request/submit', 'pull-request/cancel', 'pull-request/restart', 'pull-request/promote'])
  pullRequest(@Query() question: Question, @Res() response: Response): void {
    lead(response, () => pullRequestPath(askedRepository(question), askedBranch(question), askedNumber(question)));
  }

  @Get(['settings/preview', 'settings/delete'])
  settings(@Query() question: Question, @Res() response: Response): void {
    lead(response, () => settingsPath(askedRepository(question), askedBranch(question)));
  }

  @Get(['tests/quarantine'])
  test(@Query() { test }: Question, @Res() response: Response): void {
    seeOther(response, isUuid(test) ? `/ui/tests/${test}` : '/ui');
  }

  @Get(['create', 'update', 'pause', 'rotate', 'test', 'redeliver', 'redeliver-failed', 'delete'].map(ofWebhooks))
  webhook(@Query() { webhook }: Question, @Req() request: Request, @Res() response: Response): void {
    const isGone = request.path.endsWith('/delete');
    seeOther(response, isUuid(webhook) && !isGone ? `/ui/webhooks/${webhook}` : '/ui/webhooks');
  }

  @Get(['queues/create', 'sign-out'])
  home(@Res() response: Response): void {
    seeOther(response, '/ui');
  }
}

/** Falls back to the overview if the URL does not name a page. */
function lead(response: Response, pathOf: () => string): void {
  let path = '/ui';
  try {
    path = pathOf();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
  seeOther(response, path);
}

function ofWebhooks(act: string): string {
  return `webhooks/${act}`;
}
