import type { Entry, QueueSnapshot, UnmetDemand } from '../../model';
import { lostNeeds } from '../../policy/needs';
import { readinessOf } from '../../policy/readiness';
import type { Instant } from '../../vocabulary';
import { plain, type Quote } from '../../wording/markdown';
import { duration, short } from '../../wording/words';
import { whatIsNeeded } from './needs';

export function isNotReady(queue: QueueSnapshot, entry: Entry, cancelledAt: Instant, now: Instant): string {
  const missing = [...missingFor(queue, entry, plain), ...awaitedFromHost(queue, entry)];
  if (missing.length === 0) return 'Ready: the queue continues with this pull request next';
  const kept = entry.place === null ? '' : '. Its place and its test are kept as long as nothing else merges';
  return `${isMissing(missing)}${kept}. It is cancelled in ${duration(cancelledAt - now)} unless it becomes ready`;
}

export function isMissing(missing: readonly string[]): string {
  return `Not ready. Missing: ${missing.join('; ')}`;
}

/** The conditions that people must meet before the entry is ready. */
export function missingFor(queue: QueueSnapshot, entry: Entry, quote: Quote): readonly string[] {
  const { doesBaseBranchMatch, hostMergeability, ...readiness } = readinessOf(queue, entry);
  const { base, draft, head, unmet = [] } = entry.pullRequest;
  const [host, branch] = [quote(queue.host), quote(queue.branch)];
  const missing: string[] = [];
  if (!doesBaseBranchMatch) missing.push(`its base must be ${branch} (it is ${quote(base ?? '')})`);
  if (draft) missing.push('it must not be a draft');
  else if (unmet.length > 0) missing.push(...unmet.map(({ words }) => quote(words)));
  else if (hostMergeability === 'not_mergeable')
    missing.push(`it must be mergeable into ${branch} (${host} says it is not)`);
  if (readiness.requiresImpactedTargets && !readiness.hasImpactedTargets)
    missing.push(missingTargets(queue, quote(short(head)), quote));
  missing.push(...lostNeeds(queue, entry).map((lost) => whatIsNeeded(queue, entry, lost, quote)));
  return missing;
}

function missingTargets({ computedTargets, branch }: QueueSnapshot, head: string, quote: Quote): string {
  if (computedTargets === undefined) return `impacted targets must be sent for its head ${head}`;
  const { problem } = computedTargets;
  if (problem === null)
    return `impacted targets of its head ${head}, which are being computed from the files it changes`;
  const wayOut = `Fix this on ${quote(branch)} with a push or a pull request, or send targets for ${head}`;
  return `impacted targets cannot be computed: ${quote(problem)} ${wayOut}`;
}

/** The entry passed, but the host does not merge it yet, because demands are unmet. */
export function hostWaits(queue: QueueSnapshot, unmet: readonly UnmetDemand[], quote: Quote): string {
  const words = unmet.map((demand) => quote(demand.words)).join('; ');
  return `${quote(queue.host)} does not merge this pull request yet: ${words}. The queue asks again, and merges when the code host allows it`;
}

function awaitedFromHost(queue: QueueSnapshot, entry: Entry): readonly string[] {
  const { hostMergeability } = readinessOf(queue, entry);
  const isAwaited = hostMergeability !== 'mergeable' && hostMergeability !== 'not_mergeable';
  return isAwaited ? [`${queue.host} must still report whether the pull request can be merged`] : [];
}

/**
 * `number`: the pull request about which the host is asked, which may be another entry of the same run than the
 * explained entry.
 */
export function waitsForHostsWord(queue: QueueSnapshot, number: number, askAgainAt: Instant, now: Instant): string {
  const waits = `Waits until ${queue.host} knows whether #${number} can be merged`;
  return `${waits}; the queue asks again in ${duration(askAgainAt - now)}`;
}
