import { DAY_MS } from './days';
import { MAX_WINDOW_DAYS } from './settings';

/**
 * A test that has not run for this time is retired, because no monitor looks further back. The test returns to the
 * lists when it runs again.
 */
export const RETIRED_AFTER_DAYS = MAX_WINDOW_DAYS;
/**
 * The maximum number of tests of a repository, without retired tests. Further new tests are stored together under one
 * name.
 */
export const MOST_TESTS = 250_000;
/**
 * If unique names of one pattern appear in this many different hours of 30 days, the pattern is random: from then on,
 * all names of the pattern are one test.
 */
export const RANDOM_NAME_HOURS = 8;

/**
 * Tests seen after this time are not retired. The limit is one day longer, because the last time of a test is not
 * stored with every run.
 */
export function retiredBefore(now: Date): Date {
  return new Date(now.getTime() - (RETIRED_AFTER_DAYS + 1) * DAY_MS);
}

/**
 * The common name of new tests while a repository has too many. Results under this name do not tell which test failed,
 * so this test is never quarantined.
 */
export const TOO_MANY_TESTS = {
  file: '',
  classname: '',
  parent: '',
  name: `tests beyond the first ${MOST_TESTS.toLocaleString('en-US')} of this repository`,
  variant: '',
} as const;
