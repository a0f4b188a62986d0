import { isLongRun } from '../support/long-run';
import { itPlays } from './service-rows';

describe('through the whole service, batches, gates and reports', () => {
  // engine.spec.ts plays the other rows.
  itPlays(({ id, onlyInService }) => /^[CEFGX]/.test(id) && isLongRun === (onlyInService === undefined));
});
