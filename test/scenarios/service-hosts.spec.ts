import { repetitionsOfThisRun } from '../support/long-run';
import { itPlays } from './service-rows';

/**
 * Rows about a culprit, a lost answer, and a pull request that is closed before its landing. On hosts with real git,
 * these rows take seconds. `npm run test:scenarios -- --host gitlab` plays every row, which takes some minutes.
 */
const CHOSEN = ['C27', 'F15', 'G13'];

const HOSTS = ['git', 'github', 'gitea', 'gitlab'] as const;

describe.each(repetitionsOfThisRun(HOSTS))('on the whole service with %s, the scenario', (host) => {
  itPlays(({ id }) => CHOSEN.includes(id), host);
});
