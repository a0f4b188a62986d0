import { itPlays } from './service-rows';

describe('through the whole service, lines and one at a time', () => {
  itPlays(({ id }) => /^[ABD]/.test(id));
});
