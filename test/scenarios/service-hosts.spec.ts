import { repetitionsOfThisRun } from '../support/long-run';
import { itPlays } from './service-rows';

/**
 * A culprit, an answer that got lost, and one that was closed when it was to land: on a host with real git they take seconds.
 * `npm run test:scenarios -- --host gitlab` plays every row, for some minutes.
 */
const CHOSEN = ['C27', 'F15', 'G13'];

const HOSTS = ['git', 'github', 'gitea', 'gitlab'] as const;

describe.each(repetitionsOfThisRun(HOSTS))('through the whole service on %s', (host) => {
  itPlays(({ id }) => CHOSEN.includes(id), host);
});
