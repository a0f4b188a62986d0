import { requestedScheduling } from '../../flow-facts/scheduling';
import type { PartialLanding, QueueSnapshot } from '../../model';
import type { Instant } from '../../vocabulary';
import { plain, type Quote } from '../../wording/markdown';
import { agreeing, capitalised, counted, duration, forLength, pullRequests } from '../../wording/words';

/** The pull requests whose tests and landings must end before a mode switch, by number. */
export interface InFlight {
  readonly tested: readonly number[];
  readonly landing: readonly number[];
}

export function nothingStarts(queue: QueueSnapshot, inFlight: InFlight): string {
  const { partialLanding: part } = queue;
  switch (queue.state) {
    case 'running':
      if (part !== null) return targetIsTested(queue, part);
      return `The target branch ${queue.branch} does not exist: no test starts until it does`;
    case 'paused':
    case 'draining':
      return part === null
        ? `The queue is ${queue.state}${because(queue)}: no test starts until it is running`
        : `The queue is ${queue.state}${because(queue)}: no test starts until it is running. ${whatIsLeft(queue, part)}`;
    case 'switching_modes':
      return isSwitching(queue, inFlight);
  }
}

function targetIsTested(queue: QueueSnapshot, part: PartialLanding): string {
  return `${whatIsLeft(queue, part)}. No other test starts before the result is known`;
}

function whatIsLeft({ host, branch }: QueueSnapshot, part: PartialLanding): string {
  const { landed, why, problem, wrongTrees, isMixed } = part;
  const wayOut = `Fix ${branch}, then resume the queue`;
  if (wrongTrees !== undefined) return `${why}. Restore the tested content on ${branch}, then resume the queue`;
  if (isMixed) {
    const mixed = `While ${host} merged ${pullRequests(landed)}, ${why}`;
    if (problem === null) return `${mixed}. The queue tests ${branch} as it is now`;
    return `${mixed}. Since then ${branch} has been failing its tests: ${problem}. ${wayOut}`;
  }
  const what = `${host} merged ${pullRequests(landed)} and refused the rest of the run (${why})`;
  if (problem === null) return `${what}. The queue tests ${branch} as it is now`;
  return `${what}. Since then ${branch} has been failing its tests: ${problem}. ${wayOut}`;
}

function isSwitching(queue: QueueSnapshot, { tested, landing }: InFlight): string {
  const open = [
    ...(tested.length === 0 ? [] : [`${pullRequests(tested)} ${agreeing(tested, 'is', 'are')} being tested`]),
    ...(landing.length === 0 ? [] : [`${pullRequests(landing)} ${agreeing(landing, 'is', 'are')} being merged`]),
  ];
  const what = open.length === 0 ? '' : ` (${open.join('; ')})`;
  const after = queue.stateAfterSwitch ?? 'running';
  const then =
    after === 'running'
      ? 'After the switch, the queue is running'
      : `After the switch, the queue is ${after}: still no test starts`;
  return `The queue is switching to ${whatItSwitchesTo(queue)}: no test starts until everything in flight is done${what}. ${then}`;
}

function whatItSwitchesTo(queue: QueueSnapshot): string {
  const { requestedMode } = queue;
  const scheduling = requestedScheduling(queue);
  return [
    ...(requestedMode === null ? [] : [`mode ${requestedMode}`]),
    ...(scheduling === null ? [] : [`scheduling ${scheduling}`]),
  ].join(' and ');
}

export function hostIsUnreachable(queue: QueueSnapshot, since: Instant, now: Instant): string {
  const { host, hostRefusal } = queue;
  if (hostRefusal === null)
    return `${host} has not answered${forLength(now - since)}; the queue keeps asking and keeps its order`;
  const stands = cannotGoOn(host, hostRefusal, now - since);
  return `${capitalised(stands)}. Meanwhile the queue keeps asking and keeps its order`;
}

/** A sentence without a full stop about a host that does not carry out commands. `said`: the words of the host. */
export function cannotGoOn(host: string, said: string, length: Instant): string {
  return `the service has been unable to work with ${host}${forLength(length)}: ${said.replace(/\.\s*$/, '')}`;
}

/** A sentence about a merge that the host has been carrying out in the background for some time. */
export function hostStillMerges({ host, branch }: QueueSnapshot, number: number, length: Instant): string {
  return `${host} was asked ${duration(length)} ago to merge #${number} and has not reported a result. That request cannot be cancelled, so nothing else merges into ${branch} before that result`;
}

export function nothingMerges(queue: QueueSnapshot): string {
  if (queue.tip === null) return `the target branch ${queue.branch} does not exist: nothing merges until it does`;
  if (queue.state === 'switching_modes')
    return `the queue is switching to ${whatItSwitchesTo(queue)} and paused: nothing merges until it is running`;
  return `the queue is ${queue.state}${because(queue)}: nothing merges until it is running`;
}

/**
 * The reason that somebody gave for pausing or draining the queue, in brackets after a space. Empty if nobody gave a
 * reason, or if the queue is neither paused nor draining.
 */
export function because({ state, settings }: QueueSnapshot, quote: Quote = plain): string {
  const { pauseReason } = settings;
  return pauseReason === null || (state !== 'paused' && state !== 'draining') ? '' : ` (${quote(pauseReason)})`;
}

export function anotherIsMerged(numbers: readonly number[], since: Instant, now: Instant): string {
  const started = `started ${duration(now - since)} ago`;
  return `waits for the merge of ${pullRequests(numbers)} (${started}; one merge at a time)`;
}

export function mergesAreFrozenForGood(): string {
  return 'merges are frozen, because the freeze windows of the queue leave no time to merge. Change these settings';
}

export function mergesAreFrozen(until: Instant, now: Instant): string {
  return `merges are frozen by the queue settings (the freeze ends in ${duration(until - now)})`;
}

/** `numbers`: the pull requests that may merge from `from` on. */
export function waitsForLimit(queue: QueueSnapshot, numbers: readonly number[], from: Instant, now: Instant): string {
  const { maxMergesPerHour } = queue.settings;
  const merged = queue.mergedLately.reduce((sum, { count }) => sum + count, 0);
  const limit = `${counted(merged, 'pull request')} merged in the last hour, and the limit is ${maxMergesPerHour}`;
  return `${limit}: ${pullRequests(numbers)} ${agreeing(numbers, 'is', 'are')} merged next, in ${duration(from - now)}`;
}

export function isDryRunOnly(): string {
  return 'It is a dry run: it is removed from the queue when its tests have passed, and is not merged';
}

export function isDue(): string {
  return 'Nothing is missing: the queue continues with this pull request next';
}
