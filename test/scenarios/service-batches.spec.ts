import { itPlays } from './service-rows';

describe('through the whole service: batches, gates and reports', () => {
  itPlays(({ id }) => /^[CEFGX]/.test(id));
});
