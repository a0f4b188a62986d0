import type { Explanation } from '../engine/decision';
import type { Entry, QueueSnapshot } from '../engine/model';
import { isConcluded } from '../engine/states';
import { URGENT } from '../engine/vocabulary';
import { uuidv5 } from '../platform/ids';
import { DEFAULT_PRIORITY_NAME, priorityName } from '../shared/priority';
import type { SubmittedPullRequest } from './dto/submitted-pull-request.dto';

/** The record of one entry, as the engine explains it. */
export function submittedPullRequest(
  queue: QueueSnapshot,
  entry: Entry,
  { waitingFor, readiness }: Explanation,
): SubmittedPullRequest {
  const { pullRequest } = entry;
  const concluded = isConcluded(entry.state);
  return {
    id: entry.id,
    state: entry.state,
    stateReason: entry.stateReason,
    stateChangedAt: new Date(entry.stateChangedAt).toISOString(),
    waitingFor,
    priorityValue: entry.priority,
    priorityName: priorityName(entry.priority),
    usedDefaultPriorityName: entry.usedDefaultPriority ? DEFAULT_PRIORITY_NAME : '',
    skipTheLine: entry.priority === URGENT,
    forceEnqueued: false,
    noBatch: entry.noBatch,
    isCurrentlySubmittedToQueue: !concluded,
    verifiedByTestRun: entry.verifiedByRun === null ? null : uuidv5(queue.id, String(entry.verifiedByRun)),
    prNumber: entry.number,
    prTitle: pullRequest.title,
    prSha: entry.head,
    // Plain git has no base of its own: such a pull request fits the queue it was submitted to.
    prBaseBranch: pullRequest.base ?? queue.branch,
    prAuthor: pullRequest.author,
    readiness: { ...readiness, gitHubMergeability: readiness.hostMergeability },
  };
}
