import { Injectable } from '@nestjs/common';
import type { PullRequestObservation } from '../../domain/code-host.port';
import type { DecisionResult } from '../../domain/decision-result';
import { readQueueSettings } from '../../domain/stored-settings';
import { confirmWorkflows, refuseWorkflows } from '../../engine/messages/fork-workflows';
import type { AnswerTask, PullRequestTask } from '../../engine/pull-request-tasks';
import type { WorkflowWarning } from '../../generated/prisma/client';
import { answerKey } from '../outbox/append-tasks';
import { Clock } from '../../platform/clock/clock';
import { PrismaService } from '../../platform/database/prisma.service';
import { Sql } from '../../platform/database/sql';

type Refused = Extract<DecisionResult, { type: 'refused' }>;

/** Applies the setting `forkWorkflows`: how a queue handles pull requests of forks that change files of CI. */
@Injectable()
export class WorkflowWarnings {
  constructor(
    private readonly prisma: PrismaService,
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /**
   * Refuses the pull request if necessary; null if it may be queued. A warning is stored before it is sent, with its
   * request: if the same request is delivered again after a crash, it gets the warning again and does not queue the
   * pull request.
   */
  async refuse(
    queueId: string,
    { number, head, author }: PullRequestObservation,
    paths: readonly string[] = [],
    answers: readonly PullRequestTask[] = [],
  ): Promise<Refused | null> {
    if (paths.length === 0) return null;
    const [queue] = await this.sql.rows<{ settings: unknown }>`/* workflow-warnings refuse */
      SELECT "settings" FROM "Queue" WHERE "id" = ${queueId}::uuid`;
    if (!queue) return null;
    const { forkWorkflows } = readQueueSettings(queue.settings);
    if (forkWorkflows === 'refuse') return refusedAs(refuseWorkflows(number, author, paths));
    if (forkWorkflows !== 'confirm') return null;
    const answer = answers.find((task): task is AnswerTask => task.type !== 'updatePullRequestView');
    const answered = answer === undefined ? '' : answerKey(queueId, answer);
    const wasWarned = await this.wasWarned({ queueId, number, head, answered });
    return wasWarned ? null : refusedAs(confirmWorkflows(number, author, paths));
  }

  /**
   * Whether another request for the same head got the warning before. API requests have no name, so a second API
   * request counts as another request.
   */
  private async wasWarned(warning: Warning): Promise<boolean> {
    const { queueId, number, head, answered } = warning;
    const stored = await this.prisma.workflowWarning.createMany({
      data: { ...warning, warnedAt: this.clock.now() },
      skipDuplicates: true,
    });
    if (stored.count > 0) return false;
    const id = { queueId_number_head: { queueId, number, head } };
    const before = await this.prisma.workflowWarning.findUnique({ where: id, select: { answered: true } });
    return before !== null && (before.answered === '' || before.answered !== answered);
  }
}

type Warning = Omit<WorkflowWarning, 'warnedAt'>;

function refusedAs(message: string): Refused {
  return { type: 'refused', refusal: { code: 'PR_NOT_ENQUEUEABLE', message } };
}
