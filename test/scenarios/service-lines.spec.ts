import { itPlaysBlocks } from './service-rows';

describe('through the whole service, lines and one at a time', () => {
  itPlaysBlocks('ABD');
});
