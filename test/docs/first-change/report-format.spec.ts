import { inShortRun, repetitionsOfThisRun } from '../../support/long-run';
import { describeWalks } from './describe-walks';
import { walkNamed } from './walk';

describeWalks(['A report format'], repetitionsOfThisRun);

inShortRun(() => {
  describe('the reader of a walk through a first change', () => {
    const page = (walk: string): string =>
      `## Your first change in ten minutes\n\n### A walk\n\n${walk}\n\n## Commands\n`;

    it.each([
      ['a block in another language', '```json\n{}\n```\n\n```sh\nnpx jest a\n```'],
      ['a block of TypeScript without a path', '```ts\nexport {};\n```\n\n```sh\nnpx jest a\n```'],
      ['no test at its end', '```sh\nnpx jest a\n```\n\nNew file `a.ts`:\n\n```ts\nexport {};\n```'],
    ])('refuses a walk with %s', (_, walk) => {
      expect(() => walkNamed('A walk', page(walk))).toThrow();
    });
  });
});
