import { Get, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { readAuditLog } from '../../../platform/audit/audit-log';
import { RequireCapability } from '../../../platform/auth/access.decorators';
import type { Caller } from '../../../platform/requests/caller';
import { CurrentCaller } from '../../../platform/auth/current-caller';
import { PrismaService } from '../../../platform/database/prisma.service';
import { OwnBody } from '../../../platform/http/own-body';
import { Clock } from '../../../platform/clock/clock';
import { UpdateQueueRequest } from '../../../modules/queues/queue-settings.dto';
import { QueuesService } from '../../../modules/queues/queues.service';
import { PreviewSettingsRequest, type SettingsPreviewRecord } from '../../../modules/queues/settings-preview.dto';
import { SettingsPreviewService } from '../../../modules/queues/settings-preview.service';
import { QueueLocator } from '../../../modules/shared/queue-locator';
import { answerForm, checkedRequest, type Form, type RefusedForm, textIn } from '../../form';
import type { Html } from '../../html';
import { PageController } from '../../page-controller';
import { doneNote, donePath } from '../../parts/done-note';
import { repositoryText, settingsPath } from '../../parts/links';
import { askedBranch, askedRepository, type Question } from '../../question';
import { asPage } from '../../send-page';
import { CurrentForm, type SentForm } from '../../sent-form';
import { CurrentVisit, may, type Visit } from '../../visit';
import { isSameText, settingNamed, SHOWN_SETTINGS, textsOf, valueOf } from './setting-texts';
import { settingsPage } from './settings.view';
import { AdmitAs } from '../../../platform/http/admission-control';

const CHANGES_SHOWN = 20;

interface Shown {
  readonly refused?: RefusedForm;
  readonly preview?: SettingsPreviewRecord;
  readonly typed?: Form;
}

@PageController('settings')
export class QueueSettingsController {
  constructor(
    private readonly queues: QueuesService,
    private readonly previews: SettingsPreviewService,
    private readonly locator: QueueLocator,
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  @Get()
  show(@CurrentVisit() visit: Visit, @CurrentCaller() caller: Caller, @Query() question: Question): Promise<Html> {
    return this.draw(visit, caller, question, {});
  }

  @Post()
  @RequireCapability('administer')
  @OwnBody('form')
  save(@CurrentForm() { visit, caller, action, typed }: SentForm, @Res() response: Response): Promise<void> {
    return answerForm(response, {
      work: async () => {
        const queue = askedQueue(typed);
        const path = settingsPath(queue.repo, queue.targetBranch);
        const changes = changesIn(typed);
        if (Object.keys(changes).length === 0) return donePath(path, 'unchanged');
        await this.queues.update(caller, await checkedRequest(UpdateQueueRequest, { ...queue, ...changes }));
        return donePath(path, 'saved');
      },
      again: (problem) => this.draw(visit, caller, typed, { refused: { action, problem, typed }, typed }),
    });
  }

  /**
   * A preview changes nothing, so the handler answers with the page itself, which has the typed values ready to be
   * saved.
   */
  @Post('preview')
  @AdmitAs('last')
  @RequireCapability('administer')
  @OwnBody('form')
  async preview(@CurrentForm() sent: SentForm, @Res() response: Response): Promise<void> {
    const { visit, caller, action, typed } = sent;
    let preview: SettingsPreviewRecord | undefined;
    await answerForm(response, {
      work: async () => {
        const wanted = await checkedRequest(PreviewSettingsRequest, { ...askedQueue(typed), ...changesIn(typed) });
        preview = await this.previews.preview(caller, wanted);
        return null;
      },
      again: (problem) => this.draw(visit, caller, typed, { refused: { action, problem, typed }, typed }),
    });
    if (preview === undefined) return;
    response.status(200).send(asPage(await this.draw(visit, caller, typed, { preview, typed }), response));
  }

  @Post('delete')
  @RequireCapability('administer')
  @OwnBody('form')
  delete(@CurrentForm() { visit, caller, action, typed }: SentForm, @Res() response: Response): Promise<void> {
    return answerForm(response, {
      work: async () => {
        await this.queues.delete(caller, askedQueue(typed));
        return donePath('/ui', 'queue_deleted');
      },
      again: (problem) => this.draw(visit, caller, typed, { refused: { action, problem, typed } }),
    });
  }

  private async draw(visit: Visit, caller: Caller, question: Question, shown: Shown): Promise<Html> {
    const queue = askedQueue(question);
    const { repository, branch } = await this.locator.queue(caller, queue);
    const saved = textsOf(await this.queues.read(caller, queue));
    const { organizationId, repositoryIds } = caller;
    const subject = `${repositoryText(repository)} ${branch}`;
    const asked = { organizationId, repositoryIds, subject, take: CHANGES_SHOWN };
    const changes = may(visit, 'administer') ? (await readAuditLog(this.prisma, asked)).events : null;
    const place = { visit, repo: repository, branch, now: this.clock.now() };
    const { refused = null, preview = null, typed } = shown;
    return settingsPage(place, { saved, typed, changes, refused, preview, done: doneNote(question.done) });
  }
}

function askedQueue(question: Question) {
  return { repo: askedRepository(question), targetBranch: askedBranch(question) };
}

/** Only the fields that the person changed, so that changes by other people since the page was loaded stay. */
function changesIn(typed: Form): Readonly<Record<string, unknown>> {
  const changed = SHOWN_SETTINGS.filter(
    (name) => typed?.[name] !== undefined && !isSameText(textIn(typed, name), textIn(typed, `was.${name}`)),
  );
  return Object.fromEntries(changed.map((name) => [name, valueOf(settingNamed(name), textIn(typed, name))]));
}
