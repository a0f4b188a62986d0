import { repetitionsOfThisRun } from '../support/long-run';
import { itPlays } from './service-rows';

/**
 * A culprit, a lost answer, and a pull request closed before its landing: on hosts with real git these take seconds.
 * `npm run test:scenarios -- --host gitlab` plays every row, for some minutes.
 */
const CHOSEN = ['C27', 'F15', 'G13'];

const HOSTS = ['git', 'github', 'gitea', 'gitlab'] as const;

describe.each(repetitionsOfThisRun(HOSTS))('through the whole service on %s', (host) => {
  itPlays(({ id }) => CHOSEN.includes(id), host);
});
