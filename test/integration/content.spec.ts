import { MERGE_METHODS } from '../../src/engine/vocabulary';
import { PlayedRepository } from '../content/played-repository';
import { repetitionsOfThisRun } from '../support/long-run';

/** `npm run test:content` plays more seeds than this spec. */
const SEEDS = Array.from({ length: 6 }, (_, index) => 9_000_001 + index);

describe.each(MERGE_METHODS)('random repositories, by %s', (mergeMethod) => {
  it.each(repetitionsOfThisRun(SEEDS))("merge with the same content as in git's own merge (seed %d)", async (seed) => {
    expect(await new PlayedRepository(seed, mergeMethod).play()).toBeNull();
  });
});
