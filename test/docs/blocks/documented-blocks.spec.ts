import { repetitionsOfThisRun } from '../../support/long-run';
import { Reader } from './reader';
import { GUIDES, outsidePathsIn, type ShellBlock, shellBlocksOf } from './shell-blocks';

/**
 * Comments before a shell block say where it runs:
 *
 * - no comment: in a clone of Sluice, which the block must not change.
 * - `<!-- in CI -->`: in the checkout of a CI job, where the block may add files.
 * - `<!-- not run: reason -->`: nowhere, because the block needs root, systemd or another machine.
 *
 * These comments may precede the markers of `test/e2e/guide.ts`.
 */
const DOCUMENTS = GUIDES.filter((path) => shellBlocksOf(path).length > 0);
const RUN_NOW = repetitionsOfThisRun(DOCUMENTS);
const isRun = ({ runsIn }: ShellBlock): boolean => runsIn !== 'nowhere';

describe('The shell blocks of the documents', () => {
  it.each(RUN_NOW)('in %s run twice without changing the clone, its origin or the home folder', async (document) => {
    const blocks = shellBlocksOf(document).filter(isRun);
    expect(await harmOf(blocks)).toEqual([]);
  });

  it('are found in more than eight documents, and at least 80 % of the blocks run', () => {
    const blocks = DOCUMENTS.flatMap((document) => shellBlocksOf(document));
    expect(DOCUMENTS.length).toBeGreaterThan(8);
    expect(blocks.filter(isRun).length).toBeGreaterThan(0.8 * blocks.length);
  });
});

describe('A shell block', () => {
  const block = (text: string): ShellBlock => ({ line: 1, text, runsIn: 'clone' });

  it.each(
    repetitionsOfThisRun([
      ['pushes to origin', 'git push --quiet origin HEAD:refs/heads/other'],
      ['adds a file', 'echo 10 > price'],
      ['configures the clone', 'git config user.name me'],
      ['makes a branch', 'git switch --quiet --create raise'],
      ['writes to the home folder', 'echo a > "$HOME/.netrc"'],
      ['adds a temporary file', 'echo a > "$TMPDIR/shop"'],
      ['fails', 'git push --quiet upstream main'],
      ['works only once', 'mkdir "$TMPDIR/shop"'],
    ]),
  )('is reported as harmful if it %s', async (_, text) => {
    expect(await harmOf([block(text)])).not.toEqual([]);
  });

  it('may do anything in a folder that the block itself makes', async () => {
    const made = 'cd "$(mktemp -d)" && git init --quiet && echo 10 > price && git add price';
    expect(await harmOf([block(made)])).toEqual([]);
  });

  it.each(['cd /tmp/shop', 'echo a >/etc/motd', 'rm -r ~/shop', 'cd ../shop'])(
    'is reported if it names a path outside of the clone: %s',
    (text) => {
      expect(outsidePathsIn(block(text))).toHaveLength(1);
    },
  );

  it('is left out of the run only with a reason', () => {
    expect(() => shellBlocksOf('a.md', '<!-- not run: -->\n\n```sh\nls\n```\n')).toThrow('without a reason');
    expect(shellBlocksOf('a.md', '<!-- not run: as root -->\n\n```sh\nls\n```\n')).toMatchObject([
      { runsIn: 'nowhere' },
    ]);
  });
});

/** Pastes the blocks in order, and then once more. Returns failures and changed files. */
async function harmOf(blocks: readonly ShellBlock[]): Promise<readonly unknown[]> {
  const reader = new Reader();
  try {
    const before = reader.unchanged();
    const harm: unknown[] = [];
    for (const round of [1, 2]) {
      reader.openTerminals();
      for (const block of blocks) {
        // A block that names outside paths is not run, because it might change files outside the reader's folder.
        const outside = outsidePathsIn(block);
        if (outside.length > 0) {
          harm.push({ round, line: block.line, outside });
          continue;
        }
        const { exit, printed } = await reader.paste(block);
        if (exit !== 0) harm.push({ round, line: block.line, exit, printed });
      }
      const after = reader.unchanged();
      if (JSON.stringify(after) !== JSON.stringify(before)) harm.push({ round, before, after });
    }
    return harm;
  } finally {
    reader.leave();
  }
}
