import type { Entry, QueueSnapshot, TestRun } from './model';
import type { Readiness } from './policy/readiness';
import type { StatusVerdict } from './policy/statuses';
import { HOUR, type Instant, MINUTE } from './vocabulary';

/** Every sentence the queue says to people stands in this file. */

export function isNotReady(
  queue: QueueSnapshot,
  entry: Entry,
  readiness: Readiness,
  cancelledAt: Instant,
  now: Instant,
): string {
  return `Not ready: ${missingForReadiness(queue, entry, readiness).join('; ')}. It is cancelled in ${duration(cancelledAt - now)} unless that changes`;
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

export function queueStartsNothing(queue: QueueSnapshot): string {
  if (queue.state === 'running') return `The target branch ${queue.branch} is not there: nothing starts until it is`;
  return `The queue is ${queue.state}: no test starts until it is running`;
}

export function hostIsSilent(queue: QueueSnapshot, since: Instant, now: Instant): string {
  return `${queue.host} has not answered${forLength(now - since)}; the queue keeps asking and keeps its order`;
}

export function waitsForTurn(queue: QueueSnapshot, ahead: number, slots: number): string {
  const place = ahead === 0 ? 'Next to be tested' : `${ahead} pull request${ahead === 1 ? '' : 's'} ahead of it`;
  const limited = queue.settings.concurrency > slots ? `, the limit of this service` : '';
  return `${place}: waits for a free slot (${slots} test run${slots === 1 ? '' : 's'} at once${limited})`;
}

export function waitsForHostsWord(queue: QueueSnapshot, entry: Entry, askAgainAt: Instant, now: Instant): string {
  return `${queue.host} could not say whether #${entry.number} can be merged; it is asked again in ${duration(askAgainAt - now)}`;
}

export function waitsForItsCandidate(entry: Entry, since: Instant, now: Instant): string {
  return `The commit to be tested for #${entry.number} is being built${forLength(now - since)}`;
}

export function waitsForThoseAheadToBeBuilt(ahead: number): string {
  return `Is rebuilt as soon as a slot is free; ${ahead} run${ahead === 1 ? '' : 's'} stand${ahead === 1 ? 's' : ''} ahead of it`;
}

export function conflictsWithAhead(run: TestRun): string {
  const { conflict } = run;
  return `Conflicts with #${conflict?.with} ahead of it in ${conflict?.files.join(', ')}; it is built again when that has landed or left`;
}

export function waitsForStatuses(run: TestRun, verdict: StatusVerdict, now: Instant): string {
  const since = forLength(now - (run.pushedAt ?? run.createdAt));
  const commit = short(run.commit ?? '');
  const parts: string[] = [];
  if (verdict.missing.length > 0)
    parts.push(`required ${statuses(verdict.missing)} not reported on ${commit}${since || ' yet'}`);
  if (verdict.running.length > 0)
    parts.push(`required ${statuses(verdict.running, 'is')} running on ${commit}${since}`);
  const left = run.deadline === null ? '' : `; it times out in ${duration(run.deadline - now)}`;
  return `${capitalised(parts.join('; '))}${left}`;
}

function statuses(names: readonly string[], verb: 'has' | 'is' = 'has'): string {
  const plural = { has: 'have', is: 'are' }[verb];
  const quoted = names.map((name) => `\`${name}\``).join(', ');
  return names.length === 1 ? `status ${quoted} ${verb}` : `statuses ${quoted} ${plural}`;
}

export function isBeingMerged(queue: QueueSnapshot, since: Instant, now: Instant): string {
  return `Its tests passed; it is being merged into ${queue.branch}, ordered ${duration(now - since)} ago`;
}

export function passedButQueuePaused(queue: QueueSnapshot): string {
  return `Its tests passed; the queue is ${queue.state}: nothing merges until it is running`;
}

export function passedBehind(numbers: readonly number[]): string {
  return `Its tests passed on top of ${list(numbers)}; it merges when ${numbers.length === 1 ? 'that has' : 'those have'} merged`;
}

export function failedBehind(run: TestRun, numbers: readonly number[]): string {
  const what =
    run.failure?.type === 'timeout' ? 'Its tests timed out' : `Its tests failed (${run.failure?.names.join(', ')})`;
  if (numbers.length === 0) return `${what}; its verdict is being settled`;
  return `${what} on top of ${list(numbers)}; whose fault it is shows when ${numbers.length === 1 ? 'that has' : 'those have'} merged or left`;
}

/** Settings that are stored but not acted on yet: the queue works as one line, the safe superset. */
export function worksAsOneLine(queue: QueueSnapshot): string | null {
  const { settings } = queue;
  const stored = [
    queue.mode === 'parallel' && 'mode parallel',
    settings.batch && 'batch',
    settings.pendingFailureDepth > 0 && 'pendingFailureDepth',
    settings.canOptimisticallyMerge && 'canOptimisticallyMerge',
    settings.directMergeMode === 'always' && 'directMergeMode',
    settings.optimizationMode !== 'off' && 'optimizationMode',
  ].filter((name) => name !== false);
  return stored.length === 0
    ? null
    : `This version works as one line of single pull requests: ${stored.join(', ')} not acted on yet`;
}

function list(numbers: readonly number[]): string {
  return numbers.map((number) => `#${number}`).join(', ');
}

function short(commit: string): string {
  return commit.slice(0, 8);
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Nothing for what has only just begun. */
function forLength(length: Instant): string {
  return length < MINUTE ? '' : ` for ${duration(length)}`;
}

export function duration(length: Instant): string {
  const minutes = Math.max(0, Math.floor(length / MINUTE));
  if (minutes === 0) return 'less than a minute';
  if (length >= 2 * HOUR) return `${Math.round(length / HOUR)} hours`;
  return `${minutes} minute${minutes === 1 ? '' : 's'}`;
}
