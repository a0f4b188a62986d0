import type { CulpritSearch } from '../../model';
import { failsWhenSomethingPasses } from './flow';
import type { SlotUse } from './turn';
import type { Instant } from '../../vocabulary';
import { counted, duration, forLength, pullRequests } from '../../wording/words';

/** The pull requests that may be the culprit, and whether the explained pull request is one of these suspects. */
export interface Suspicion {
  readonly suspects: readonly number[];
  readonly standing: 'cleared' | 'suspect' | 'behind';
}

export function isSearched(search: CulpritSearch, suspicion: Suspicion): string {
  const batch = `Its batch of ${search.failedSize} failed`;
  switch (search.stage) {
    case 'whole':
      return `${batch}. The whole batch is tested once more before bisection starts`;
    case 'prefixes':
      return `${batch}. ${suspected(suspicion)}`;
    case 'culprit':
      return `${batch}, and it is the only suspect. ${testedAloneAgain()}`;
  }
}

/** Follows `redAloneOn`. */
export function testedAloneAgain(): string {
  return 'It is tested once more in isolation, and fails only if that test fails';
}

/** Follows `redAloneOn`. `streaks`: the number of failure streaks in which the entry failed. */
export function countsWhenSomethingPasses(streaks: number, since: Instant): string {
  if (streaks > 1) return failsWhenSomethingPasses(since);
  const what = 'when another test run passes, which shows that the tests work';
  const atOnce = 'If that run was in progress during the whole failed test, this pull request fails at once';
  return `It is tested once more ${what}. ${atOnce}. No other test run has passed${forLength(since) || ' yet'}`;
}

export function targetIsTested(branch: string): string {
  return `${branch} itself is being tested now: if it fails, nobody is blamed`;
}

/** Follows `countsWhenSomethingPasses`. */
export function targetIsTestedIn(branch: string, time: Instant): string {
  return `If no other test run passes before, ${branch} itself is tested in ${duration(time)}; if it fails, nobody is blamed`;
}

export function targetIsNext(branch: string): string {
  return `${branch} itself is tested as soon as a bisection slot is free`;
}

function suspected({ suspects, standing }: Suspicion): string {
  const among = `The culprit is ${suspects.length === 1 ? '' : 'one of '}${pullRequests(suspects)}`;
  const back = 'When bisection ends, it returns to the queue ahead of all but urgent pull requests';
  switch (standing) {
    case 'suspect':
      return among;
    case 'cleared':
      return `${among}. This pull request is not a suspect. ${back}`;
    case 'behind':
      return `${among}. This pull request is not a suspect so far. ${back}`;
  }
}

/** `lengths`: lengths of the prefixes that are tested in parallel. */
export function prefixesTested(lengths: readonly number[], size: number): string {
  const which = lengths.map((length) => `the first ${length}`).join(', ');
  return `Being tested: ${which} of ${size} (${counted(lengths.length, 'test')} in parallel)`;
}

export function testIsNext(): string {
  return 'Its next test is about to start';
}

/** Lowering the limit stops no run, so `inUse` may be higher than `all`. */
export function waitsForBisectionSlot({ inUse, all, configured }: SlotUse, first: CulpritSearch | null): string {
  const limit = configured > all ? 'the limit of this service' : 'set by bisectionConcurrency';
  const members = first?.members.map(({ number }) => number) ?? [];
  const older = first ? `. The bisection of ${pullRequests(members)} comes first` : '';
  return `Waits for a bisection slot (${inUse} of ${all} in use, ${limit})${older}`;
}
