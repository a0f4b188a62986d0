import { itPlays } from './service-rows';

/**
 * A culprit, and an answer that got lost: each takes tens of seconds on a host with real git. `npm run test:scenarios -- --host gitlab`
 * plays every row, for half an hour.
 */
const CHOSEN = ['C27', 'F15'];

describe.each(['git', 'github', 'gitea', 'gitlab'] as const)('through the whole service on %s', (host) => {
  itPlays(({ id }) => CHOSEN.includes(id), host);
});
