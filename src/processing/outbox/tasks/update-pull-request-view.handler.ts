import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { UpdatePullRequestView } from '../../../engine/pull-request-tasks';
import { CrashPoints } from '../../../platform/lifecycle/crash-points';
import { TaskHandler, type TaskContext } from '../task';
import { PullRequestViewRenderer } from '../pull-request-view';

/** The last view that was sent: fingerprints of the comment and the status, the label, and the merge. */
interface Notes {
  /** The commit that was last shown as the merge of the pull request. */
  readonly landed?: string;
  readonly label?: string | null;
  readonly comment?: string;
  readonly status?: string;
}

/**
 * Shows the state of a pull request in one comment, as a status check of its head and as a label, and shows that it is
 * merged. The handler reads the present state, however old the task is, and sends only parts that have changed or were
 * overwritten since.
 */
@Injectable()
export class UpdatePullRequestViewHandler extends TaskHandler<UpdatePullRequestView> {
  readonly type = 'updatePullRequestView';
  readonly repeat = 'ensures';

  constructor(
    private readonly renderer: PullRequestViewRenderer,
    private readonly crashPoints: CrashPoints,
  ) {
    super();
  }

  async carryOut(task: TaskContext<UpdatePullRequestView>): Promise<null> {
    const { host, repository, queueId, command } = task;
    const { conversation } = host;
    const { openedAt, overwrittenBy } = command;
    const view = conversation && (await this.renderer.of(queueId, command.number, openedAt));
    if (!view) return null;
    let shown = (task.notes ?? {}) as Notes;
    const { landed, comment, status, label } = view;
    if (landed !== null && shown.landed !== landed.commit && host.showMerged) {
      await host.showMerged(repository, landed);
      shown = { ...shown, landed: landed.commit };
      await task.remember(shown);
    }
    const compared = comment && { marker: comment.marker, body: comment.comparedBy };
    const fingerprints = {
      comment: fingerprintOf({ comment: compared, openedAt, overwrittenBy }),
      status: fingerprintOf(status),
    };
    // The status check comes first, because comments may have to wait for the host's rate limit.
    if (status && fingerprints.status !== shown.status) {
      await conversation.showStatus(repository, status.commit, status.shown);
      this.crashPoints.reach('status shown');
      shown = { ...shown, status: fingerprints.status };
      await task.remember(shown);
    }
    // There is no label to remove if none was ever shown.
    if (label && label.name !== (shown.label ?? null)) {
      await conversation.showStateLabel?.(repository, command.number, label);
      shown = { ...shown, label: label.name };
      await task.remember(shown);
    }
    if (comment && fingerprints.comment !== shown.comment) {
      await conversation.ensureComment(repository, command.number, comment.marker, comment.body);
      this.crashPoints.reach('comment shown');
      await task.remember({ ...shown, comment: fingerprints.comment });
    }
    return null;
  }

  /** No outcome: the next change of the pull request appends a new task. */
  giveUp(): null {
    return null;
  }
}

function fingerprintOf(shown: object | null): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex');
}
