import { itPlays } from './service-rows';

describe('on the whole service, about batches, gates and reports, the scenario', () => {
  itPlays(({ id }) => /^[CEFGX]/.test(id));
});
