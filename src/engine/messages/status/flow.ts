import type { LearnedFigure } from '../../flow-facts/chances';
import type { Entry, QueueSnapshot } from '../../model';
import { type Instant, MINUTE } from '../../vocabulary';
import { agreeing, capitalised, counted, duration, forLength, pullRequests } from '../../wording/words';
import { goesFirst, pendingFor } from './turn';

/** The other pull requests in the test of a pull request, by number. */
export interface FlowCompany {
  readonly together: readonly number[];
  readonly passed: readonly number[];
  readonly assumed: readonly number[];
}

/** Ends an explanation. `failure`: how often pull requests fail, which says how likely the assumed entries pass. */
export function testedInCompany({ together, passed, assumed }: FlowCompany, failure: LearnedFigure): string {
  const parts = [
    ...(together.length === 0 ? [] : [`together with ${pullRequests(together)}`]),
    ...(passed.length === 0 ? [] : [`on top of ${pullRequests(passed)} (passed)`]),
    ...(assumed.length === 0 ? [] : [`on top of ${pullRequests(assumed)} (still being tested, assumed to pass)`]),
  ];
  if (parts.length === 0) return '';
  const tested = `. It is tested ${parts.join(' and ')}`;
  const which = agreeing(assumed, pullRequests(assumed), 'one of these');
  return assumed.length === 0
    ? tested
    : `${tested}. If ${which} fails, it is tested again. ${howOftenTheyFail(failure)}`;
}

export function isBeingMergedInFlow(branch: string, others: readonly number[], since: Instant): string {
  const along = others.length === 0 ? '' : ` together with ${pullRequests(others)}`;
  return `Its tests passed; its merge into ${branch}${along} started ${duration(since)} ago`;
}

export function passedBesideOthers(keepsIt: string): string {
  return `Passed, awaiting a combined test: ${keepsIt}. It could not merge as it was tested`;
}

/** Follows `passedBesideOthers`. `own`: the other pull requests that the run tests, by number. */
export function ridesWith(own: readonly number[]): string {
  if (own.length === 0) return 'that test is running';
  return `it is included in the test of ${pullRequests(own)}, and merges when that test passes`;
}

export function nextTestHoldsIt(): string {
  return 'the next test run includes it';
}

export function isSuspect(others: readonly number[], figure: LearnedFigure, whatNext: string): string {
  const among =
    others.length === 0
      ? 'A test run that included it failed'
      : `A test run failed, and the cause may be this pull request or ${pullRequests(others)}`;
  return `${among}. ${whatNext}. ${howOftenTheyFail(figure)}`;
}

export function testedAlone(): string {
  return 'It is tested next in isolation on the target branch, and fails only if that test fails';
}

export function firstHalfIsTested(): string {
  return 'The first half of these suspects is tested first';
}

/** `reds`: how often the pull request has failed in isolation. `needed`: how many such failures it takes to fail it. */
export function redAloneOn(branch: string, reds: number, needed: number, flake: LearnedFigure): string {
  const failed = `Failed in isolation on ${branch}`;
  if (needed <= 1) return failed;
  return `${failed} (${reds} of ${needed} times). It takes ${needed} such failures, because tests flake in ${estimated(flake)}`;
}

export function failsWhenSomethingPasses(since: Instant): string {
  return `It fails when another test run passes, which shows that the tests work. No other test run has passed${forLength(since) || ' yet'}`;
}

export function waitsForLaterOnes(depth: number): string {
  return `It fails when ${counted(depth, 'pull request')} tested after it ${depth === 1 ? 'has' : 'have'} finished. Until then its test can be restarted`;
}

export function targetIsRed(branch: string, since: Instant, entry: Entry, now: Instant): string {
  return `${targetIsBroken(branch, since)}. Give the pull request that fixes ${branch} the priority urgent${pendingFor(entry, now)}`;
}

export function targetIsBroken(branch: string, since: Instant): string {
  const failing = since < MINUTE ? 'has just failed its tests' : `has been failing its tests${forLength(since)}`;
  return `${branch} itself ${failing}: nobody is blamed. Only ${branch} and urgent pull requests are tested`;
}

export function wasRedTogetherWith(others: readonly number[]): string {
  const are = agreeing(others, 'which is', 'which are');
  const ends = agreeing(others, 'that test ends', 'those tests end');
  return `It failed together with ${pullRequests(others)}, ${are} still being tested. It is tested again when ${ends}`;
}

export function clashesWith(others: readonly number[]): string {
  const named = pullRequests(others);
  return `Merge conflict with ${named}: it is tested when ${agreeing(others, `${named} has`, 'they have')} merged or left the queue`;
}

export function waitsForItsGroup(filled: number, size: number, startsIn: Instant): string {
  const hint = 'To start at once, submit it again with noBatch';
  return `Waits for its group to fill (${filled} of ${size}); starts in ${duration(startsIn)} at the latest. ${hint}`;
}

/** `besides`: sentences that begin with a full stop and a space, or nothing. */
export function waitsInFlow(entry: Entry, waitsFor: string, besides: string, now: Instant): string {
  return `${capitalised(waitsFor)}${goesFirst(entry)}${pendingFor(entry, now)}${besides}`;
}

/** Follows the sentence about an entry that passed, or that would merge next. */
export function urgentGoesFirst(numbers: readonly number[]): string {
  return `${pullRequests(numbers)} ${agreeing(numbers, 'is', 'are')} urgent: nothing else merges while ${agreeing(numbers, 'it is', 'they are')} being tested`;
}

/** `landings`: how many landings did not include pull request `number`. */
export function isOwed(number: number, landings: number): string {
  return `#${number} merges first: it has passed, and was not included in the last ${counted(landings, 'merge')}`;
}

/** Ends an explanation. `running`: the urgent entries under test. */
export function freedSlotFor(running: readonly number[]): string {
  const which = running.length === 0 ? 'an urgent pull request' : `${pullRequests(running)} (urgent)`;
  return `. Its test was stopped to free a slot for ${which}`;
}

interface Sharing {
  readonly numbers: readonly number[];
  /** False if entries that are not in `numbers` may also be ahead of the entry and share an area with it. */
  readonly areAll: boolean;
}

/** Ends an explanation. */
export function mayNotFitTo({ numbers, areAll }: Sharing, figure: LearnedFigure): string {
  const whom = areAll ? pullRequests(numbers) : `at least ${pullRequests(numbers)}`;
  const them = areAll && numbers.length === 1 ? pullRequests(numbers) : 'them';
  const starts = `It starts together with ${them}, on top of ${them}, or when a slot would stay empty`;
  return `. It changes the same area as ${whom}. ${starts}. In that area, semantic conflicts occur in ${estimated(figure)}`;
}

function howOftenTheyFail(figure: LearnedFigure): string {
  return `Pull requests fail their tests in ${estimated(figure)}`;
}

/** The chance also counts the assumption of a new queue, so the text does not call it a share of the outcomes. */
function estimated({ chance, outcomes }: LearnedFigure): string {
  const by =
    outcomes === 0
      ? 'the default of a new queue'
      : `estimated from ${counted(outcomes, 'earlier result')} of this queue`;
  return `${percent(chance)} of cases (${by})`;
}

function percent(chance: number): string {
  return `${Math.round(chance * 1_000) / 10} %`;
}

/** Follows `passedBesideOthers`. */
export function landsWhenRunning({ state }: QueueSnapshot): string {
  return `that test starts when the queue is running (it is ${state.replaceAll('_', ' ')})`;
}
