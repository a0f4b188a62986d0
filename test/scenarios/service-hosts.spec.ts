import { itPlays } from './service-rows';

/**
 * A line, a push, another process, a culprit, news that nobody told, an outage, an answer that got lost, a merge by hand.
 * `npm run test:scenarios -- --host gitlab` plays every row, for half an hour.
 */
const CHOSEN = ['A01', 'A19', 'A43', 'C27', 'C35', 'D13', 'E15', 'F15', 'G11', 'X05'];

const OUTAGE = 'E15';
/** Their `cannot` says why. */
const TELLS_NOTHING_MEANWHILE: readonly string[] = ['git', 'gitlab'];

describe.each(['git', 'github', 'gitea', 'gitlab'] as const)('through the whole service on %s', (host) => {
  itPlays(({ id }) => CHOSEN.includes(id) && !(id === OUTAGE && TELLS_NOTHING_MEANWHILE.includes(host)), host);
});
