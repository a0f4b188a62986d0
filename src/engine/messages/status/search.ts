import type { CulpritSearch } from '../../model';
import type { SlotUse } from './turn';
import type { Instant } from '../../vocabulary';
import { counted, duration, forLength, pullRequests } from '../../wording/words';

/** What is known of the culprit: the suspects, and whether the pull request that asks is one of them. */
export interface Suspicion {
  readonly suspects: readonly number[];
  readonly standing: 'cleared' | 'suspect' | 'behind';
}

export function isSearched(search: CulpritSearch, suspicion: Suspicion): string {
  const batch = `Its batch of ${search.failedSize} failed`;
  switch (search.stage) {
    case 'whole':
      return `${batch}; the whole batch is tested once more before the queue searches for the culprit`;
    case 'prefixes':
      return `${batch}; ${suspected(suspicion)}`;
    case 'culprit':
      return `${batch}, and it is the suspect; it is tested once more alone, and fails only if that test fails`;
  }
}

/** Follows `redAloneOn`. */
export function testedAloneAgain(): string {
  return 'It is tested once more alone, and fails only if that test fails';
}

/** Follows `redAloneOn`. `streaks`: of red tests with a pass between them, that it was red in. */
export function countsWhenSomethingPasses(streaks: number, since: Instant): string {
  const what = 'when another test passes, which shows that the tests work';
  const none = `none has${forLength(since) || ' yet'}`;
  if (streaks > 1) return `It fails ${what}; ${none}`;
  return `It is tested once more ${what}, or fails at once if that one ran all the while; ${none}`;
}

export function targetIsTested(branch: string): string {
  return `${branch} itself is tested now: if it is red, nobody is blamed`;
}

/** Follows `countsWhenSomethingPasses`. */
export function targetIsTestedIn(branch: string, time: Instant): string {
  return `Unless one does before, ${branch} itself is tested in ${duration(time)}: if it is red, nobody is blamed`;
}

export function targetIsNext(branch: string): string {
  return `${branch} itself is tested as soon as there is a bisection slot`;
}

function suspected({ suspects, standing }: Suspicion): string {
  const among = `the culprit is ${suspects.length === 1 ? '' : 'one of '}${pullRequests(suspects)}`;
  const back = 'when the culprit is found, it goes back ahead of all but urgent ones';
  switch (standing) {
    case 'suspect':
      return among;
    case 'cleared':
      return `${among}, not this one: ${back}`;
    case 'behind':
      return `${among}, not this one so far: ${back}`;
  }
}

/** `lengths`: of the prefixes that are tested side by side. */
export function prefixesTested(lengths: readonly number[], size: number): string {
  const which = lengths.map((length) => `the first ${length}`).join(', ');
  return `tested now: ${which} (of ${size}; ${counted(lengths.length, 'test')} at once)`;
}

export function testIsNext(): string {
  return 'Its next test starts with the next decision';
}

/** A lowered limit stops no run, so more may be in use than there are. */
export function waitsForBisectionSlot({ inUse, all, configured }: SlotUse, first: CulpritSearch | null): string {
  const limit = configured > all ? 'the limit of this service' : 'set by bisectionConcurrency';
  const older = first ? `; the search among ${pullRequests(first.members.map(({ number }) => number))} goes first` : '';
  return `Waits for a bisection slot (${inUse} of ${all} in use, ${limit})${older}`;
}
