import { Newcomer } from './newcomer';
import { type Block, walkNamed } from './walk';

/**
 * Declares tests that follow each walk in one clone. Further tests follow the walk without one block, for every block
 * or only for the blocks from `chosen`.
 */
export function describeWalks(titles: readonly string[], chosen = <Item>(blocks: readonly Item[]) => blocks): void {
  describe('"Your first change in ten minutes" in CONTRIBUTING.md', () => {
    const newcomer = new Newcomer();
    beforeAll(() => newcomer.begin());
    afterAll(() => newcomer.leave());

    describe.each(titles)('%s', (title) => {
      const { changes, test } = walkNamed(title);
      const named = changes.map((block): [string, Block] => [block.name, block]);

      it.each(named)('has a block that can be applied: %s', async (_, block) => {
        await expect(newcomer.follow(block)).resolves.toBeUndefined();
      });

      it('ends with a passing test', async () => {
        expect(await newcomer.run(test)).toMatchObject({ exit: 0 });
      });

      it.each(chosen(named))('has a failing test if the block %s is left out', async (_, block) => {
        expect((await newcomer.runWithout(block, test)).exit).not.toBe(0);
      });
    });
  });
}
