import { comparedUploads, type JobUpload } from './compared-runs';

/**
 * The uploads in `text`, latest first. `7:0` is an upload of run 7 whose tests exited with 0; `p7:?` is an upload of
 * the pull request itself.
 */
function compared(text: string): string {
  const uploads = text.split(' ').map((word): JobUpload & { readonly word: string } => {
    const [run = '', exit] = word.split(':');
    return { word, run, exit: exit === '?' ? null : Number(exit), isOfPullRequest: run.startsWith('p') };
  });
  return comparedUploads(uploads)
    .map(({ word }) => word)
    .join(' ');
}

describe('the expected tests of a job', () => {
  it.each([
    ['of its latest five runs', '9:? 8:? 7:? 6:? 5:? 4:? 3:?', '9:? 8:? 7:? 6:? 5:?'],
    ['of all uploads of these runs', '9:? 9:? 8:? 7:? 6:? 5:? 5:? 4:?', '9:? 9:? 8:? 7:? 6:? 5:? 5:?'],
    [
      'of the latest run that exited with 0, however many failed since',
      '9:1 8:1 7:1 6:1 5:1 4:1 3:0 2:0',
      '9:1 8:1 7:1 6:1 5:1 3:0',
    ],
    [
      'of the latest run that exited with 0 in every attempt',
      '9:1 8:1 7:1 6:1 5:1 4:0 4:1 3:0',
      '9:1 8:1 7:1 6:1 5:1 3:0',
    ],
    ['of the latest run of the pull request itself', 'p9:1 8:? p7:1 6:?', 'p9:1 8:? 6:?'],
    ['of the latest run of the pull request that exited with 0', 'p9:1 8:? p7:0 p6:1 p5:0', 'p9:1 8:? p7:0'],
  ])('are the tests %s', (_what, uploads, expected) => {
    expect(compared(uploads)).toBe(expected);
  });

  it('are none if the job never ran', () => {
    expect(comparedUploads([])).toEqual([]);
  });
});
