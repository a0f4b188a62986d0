import { itPlays } from './service-rows';

describe('through the whole service: sequences, and one at a time', () => {
  itPlays(({ id }) => /^[ABD]/.test(id));
});
