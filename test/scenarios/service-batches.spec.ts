import { itPlaysBlocks } from './service-rows';

describe('through the whole service, batches, gates and reports', () => {
  itPlaysBlocks('CEFGX');
});
