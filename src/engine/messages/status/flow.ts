import type { LearnedFigure } from '../../flow-facts/chances';
import type { Entry, QueueSnapshot } from '../../model';
import type { Instant } from '../../vocabulary';
import { agreeing, counted, duration, forLength, onTopOf, pullRequests } from '../../wording/words';
import { goesFirst, pendingFor } from './turn';

/** What a test holds beside the pull request itself, by number. */
export interface FlowCompany {
  readonly together: readonly number[];
  readonly passed: readonly number[];
  readonly hopes: readonly number[];
}

/** Ends a sentence. `failure`: what those that are still tested were found likely to pass by. */
export function testedInCompany({ together, passed, hopes }: FlowCompany, failure: LearnedFigure): string {
  const parts = [
    ...(together.length === 0 ? [] : [`together with ${pullRequests(together)}`]),
    ...(passed.length === 0 ? [] : [`on top of ${pullRequests(passed)}, which passed`]),
    ...(hopes.length === 0 ? [] : [`on top of ${pullRequests(hopes)}, still tested and likely to pass`]),
  ];
  const again = `${howOftenTheyFail(failure)}; if ${agreeing(hopes, 'that fails', 'one of those fails')}, this is tested again`;
  return parts.length === 0 ? '' : `; tested ${parts.join(', and ')}${hopes.length === 0 ? '' : again}`;
}

export function commitInTheMaking(own: readonly number[], builtOn: readonly number[], since: Instant): string {
  return `The test commit of ${pullRequests(own)}${onTopOf(builtOn)} is being built${forLength(since)}`;
}

export function isBeingMergedInFlow(branch: string, others: readonly number[], since: Instant): string {
  const along = others.length === 0 ? '; its' : `, together with ${pullRequests(others)}; their`;
  return `Its tests passed${along} merge into ${branch} started ${duration(since)} ago`;
}

export function passedBesideOthers(keepsIt: string): string {
  return `Passed, but could not merge as it was tested, so it needs one more test together with what else passed: ${keepsIt}`;
}

/** Follows `passedBesideOthers`. `own`: without the one that hears it. */
export function ridesWith(own: readonly number[]): string {
  if (own.length === 0) return 'that test is under way';
  return `it is in the test of ${pullRequests(own)}, and merges when that passes`;
}

export function nextTestHoldsIt(): string {
  return 'the next test that starts holds it';
}

export function isSuspect(others: readonly number[], figure: LearnedFigure, whatNext: string): string {
  const among =
    others.length === 0 ? 'A test of it was red' : `One of it and ${pullRequests(others)} may have turned a test red`;
  return `${among}${howOftenTheyFail(figure)}. ${whatNext}`;
}

export function testedAlone(): string {
  return 'It is tested alone on the target next, and fails only if that is red';
}

export function firstHalfIsTested(): string {
  return 'The first half of them is tested first';
}

/** `reds`, `needed`: red tests of it alone. */
export function redAloneOn(branch: string, reds: number, needed: number, flake: LearnedFigure): string {
  const of = needed > 1 ? ` (${reds} of ${needed} red tests${inShare('tests flake', flake)})` : '';
  return `Red alone on ${branch}${of}`;
}

export function failsWhenSomethingPasses(since: Instant): string {
  return `It fails when another test passes, which shows that the tests work; none has${forLength(since) || ' yet'}`;
}

export function waitsForLaterOnes(depth: number): string {
  return `It fails when ${counted(depth, 'pull request')} tested after it ${depth === 1 ? 'has' : 'have'} finished; until then its test can be restarted`;
}

export function targetIsRed(branch: string, since: Instant, entry: Entry, now: Instant): string {
  return `${targetIsBroken(branch, since)}. Raise the pull request that mends it to urgent${pendingFor(entry, now)}`;
}

export function targetIsBroken(branch: string, since: Instant): string {
  return `${branch} itself has not passed its tests${forLength(since) || ' just now'}: nobody is blamed, and only ${branch} and urgent pull requests are tested`;
}

export function wasRedTogetherWith(others: readonly number[]): string {
  const are = agreeing(others, 'which is', 'which are');
  return `Was red together with ${pullRequests(others)}, ${are} still tested: it is tested again when that has ended`;
}

export function clashesWith(others: readonly number[]): string {
  const have = agreeing(others, 'that has', 'those have');
  return `Conflicts with ${pullRequests(others)} in the text: it is tested when ${have} merged or left the queue`;
}

export function waitsForItsGroup(filled: number, size: number, startsIn: Instant): string {
  const hint = 'To start at once, submit it again with noBatch';
  return `Waits for its group to fill (${filled} of ${size}); starts in ${duration(startsIn)} at the latest. ${hint}`;
}

export function waitsInFlow(entry: Entry, waitsFor: string, now: Instant): string {
  return `Waiting to be tested: ${waitsFor}${goesFirst(entry)}${pendingFor(entry, now)}`;
}

/** Follows the sentence of one that passed, or that would merge next. */
export function urgentGoesFirst(numbers: readonly number[]): string {
  return `nothing else merges while ${pullRequests(numbers)} ${agreeing(numbers, 'is', 'are')} tested, because ${agreeing(numbers, 'it is', 'they are')} urgent`;
}

/** `landings`: so many went without it. */
export function isOwed(number: number, landings: number): string {
  return `#${number} merges first: it has passed, and ${counted(landings, 'merge')} went without it`;
}

/** Ends a sentence. `running`: the urgent ones that are tested now. */
export function madeRoom(running: readonly number[]): string {
  const which = running.length === 0 ? 'an urgent pull request' : `${pullRequests(running)} (urgent)`;
  return `; its test made room for ${which}`;
}

interface Sharing {
  readonly numbers: readonly number[];
  /** False: more wait ahead of it, and may share an area with it too. */
  readonly areAll: boolean;
}

/** Ends a sentence. */
export function mayNotFitTo({ numbers, areAll }: Sharing, figure: LearnedFigure): string {
  const isOne = areAll && numbers.length === 1;
  const starts = `it starts with ${isOne ? 'that, on top of it' : 'those, on top of them'}, or when a slot would stay empty`;
  const whom = areAll ? pullRequests(numbers) : `at least ${pullRequests(numbers)}`;
  return `; it shares an area with ${whom}, where changes do not fit together in ${estimated(figure)}: ${starts}`;
}

function howOftenTheyFail(figure: LearnedFigure): string {
  return inShare('pull requests fail their tests', figure);
}

function inShare(what: string, figure: LearnedFigure): string {
  return `; ${what} in ${estimated(figure)}`;
}

/** What a new queue assumes counts along, so it is no share of the outcomes. */
function estimated({ chance, outcomes }: LearnedFigure): string {
  const by = outcomes === 0 ? 'as any new queue assumes' : `estimated from ${counted(outcomes, 'outcome')} so far`;
  return `${percent(chance)} of cases, ${by}`;
}

function percent(chance: number): string {
  return `${Math.round(chance * 1_000) / 10} %`;
}

/** Follows `passedBesideOthers`. */
export function landsWhenRunning({ state }: QueueSnapshot): string {
  return `it starts when the queue is running (it is ${state.replaceAll('_', ' ')})`;
}
