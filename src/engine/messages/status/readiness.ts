import type { Entry, QueueSnapshot } from '../../model';
import type { Readiness } from '../../policy/readiness';
import type { Instant } from '../../vocabulary';
import { duration, short } from '../words';

export function isNotReady(
  queue: QueueSnapshot,
  entry: Entry,
  readiness: Readiness,
  cancelledAt: Instant,
  now: Instant,
): string {
  const missing = missingForReadiness(queue, entry, readiness);
  if (missing.length === 0) return 'Nothing is missing any more: the queue takes it up with its next decision';
  return `Not ready: ${missing.join('; ')}. It is cancelled in ${duration(cancelledAt - now)} unless that changes`;
}

function missingForReadiness(queue: QueueSnapshot, entry: Entry, readiness: Readiness): readonly string[] {
  const missing: string[] = [];
  if (!readiness.doesBaseBranchMatch)
    missing.push(`its base is ${entry.pullRequest.base}, this queue merges into ${queue.branch}`);
  if (entry.pullRequest.draft) missing.push('it is a draft');
  else if (readiness.hostMergeability === 'not_mergeable')
    missing.push(`${queue.host} says it cannot be merged into ${queue.branch}`);
  else if (readiness.hostMergeability !== 'mergeable')
    missing.push(`${queue.host} has not said yet whether it can be merged`);
  if (readiness.requiresImpactedTargets && !readiness.hasImpactedTargets)
    missing.push(`no impacted targets were given for its head ${short(entry.pullRequest.head)}`);
  return missing;
}

/** One of those to be tested; `number` is not always the pull request that asks. */
export function waitsForHostsWord(queue: QueueSnapshot, number: number, askAgainAt: Instant, now: Instant): string {
  return `${queue.host} could not say whether #${number} can be merged; it is asked again in ${duration(askAgainAt - now)}`;
}
