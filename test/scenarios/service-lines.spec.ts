import { itPlays } from './service-rows';

describe('on the whole service, about sequences and one run at a time, the scenario', () => {
  itPlays(({ id }) => /^[ABD]/.test(id));
});
