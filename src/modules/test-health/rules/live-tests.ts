import { DAY_MS } from './days';
import { MAX_WINDOW_DAYS } from './settings';

/** A test that did not run for so long is retired: no monitor looks further back. It is back when it runs again. */
export const RETIRED_AFTER_DAYS = MAX_WINDOW_DAYS;
/** Of a repository, without retired ones. New tests above that are stored under one name. */
export const MOST_TESTS = 250_000;
/** Names that came once and never again, in so many different hours of 30 days, are random: from then on they are one test. */
export const RANDOM_NAME_HOURS = 8;

/** Tests that were seen after this are not retired. A day more, because it is noted only now and then when a test was seen. */
export function retiredBefore(now: Date): Date {
  return new Date(now.getTime() - (RETIRED_AFTER_DAYS + 1) * DAY_MS);
}

/** What new tests are stored as while a repository has too many. Nobody can tell which of them failed, so it is never quarantined. */
export const TOO_MANY_TESTS = {
  file: '',
  classname: '',
  parent: '',
  name: `tests beyond the first ${MOST_TESTS.toLocaleString('en-US')} of this repository`,
  variant: '',
} as const;
