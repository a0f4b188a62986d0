import * as fc from 'fast-check';
import { withoutSkipWords } from './skip-words';

/**
 * The words by which each CI system skips a commit, from its documentation; for GitLab, Woodpecker and Gitea, from
 * their source.
 */
const STOPS_CI: readonly RegExp[] = [
  // GitHub Actions, Gitea and Forgejo Actions, Bitrise, CircleCI, Drone, Semaphore, Buildkite
  ...[/\[skip[ -]ci\]/i, /\[ci[ -]skip\]/i, /\[no ci\]/i, /\[skip actions\]/i, /\[actions skip\]/i],
  /^(skip|request)-checks: ?true/im,
  // GitLab
  /\[(ci[ _-]skip|skip[ _-]ci)\]/i,
  // Woodpecker
  /\[(ci *skip|skip *ci)\]/i,
  // Azure Pipelines
  ...[/\*\*\*NO_CI\*\*\*/i, /\[skip (azurepipelines|azpipelines|azp)\]/i, /\[(azurepipelines|azpipelines|azp) skip\]/i],
  // AppVeyor and Travis CI
  ...[/\[skip (appveyor|travis|travis ci|travis-ci)\]/i, /\[(appveyor|travis|travis ci|travis-ci) skip\]/i],
];

const stopsCi = (text: string): boolean => STOPS_CI.some((word) => word.test(text));

const WORDS = [
  ...['[skip ci]', '[ci skip]', '[no ci]', '[skip actions]', '[actions skip]', '[Skip-CI]', '[CI_SKIP]', '[skipci]'],
  ...['***NO_CI***', '[skip azurepipelines]', '[azp skip]', '[skip travis-ci]', '[travis ci skip]', '[skip appveyor]'],
  ...['skip-checks: true', 'skip-checks:true', 'request-checks: true', 'Skip-Checks: true'],
];

/** Pieces of these words. A replacement next to another piece could make a new word that skips CI. */
const PIECES = [
  ...['[', ']', '(', ')', '***', '*', ' ', '-', '_', '\n', ':', ': true', 'skip', 'no', 'ci', 'CI', 'actions', 'NO_CI'],
  ...['checks', 'skip-checks', 'a', 'ş', '😀', '[skip ci', 'ci]'],
];

const piecesAround = fc.array(fc.constantFrom(...PIECES, ...WORDS), { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('words that keep CI from running', () => {
  it.each(WORDS)('%s is broken up in any position, and stays readable', (word) => {
    const text = `Fix it ${word} (#7)\n\n\n${word}\n`;
    expect(stopsCi(`\n${word}`) || word === '[skipci]').toBe(true);
    const broken = withoutSkipWords(text);
    expect(stopsCi(broken)).toBe(false);
    const letters = (one: string): string => one.replaceAll(/[^a-z]/gi, '');
    expect(letters(broken)).toBe(letters(text));
  });

  it('become plain words: [skip ci] becomes (skip ci)', () => {
    expect(withoutSkipWords('docs: a comma [skip ci] (#7)\n\n\nskip-checks: true\n')).toBe(
      'docs: a comma (skip ci) (#7)\n\n\nskip checks: true\n',
    );
    expect(withoutSkipWords('***NO_CI*** and [ci skip]')).toBe('***NO CI*** and (ci skip)');
  });

  it.each([
    'Skip the CI on Sundays',
    '[ci] build with Node.js 24',
    '[skip changelog] say what is new',
    '- [ ] skip ci\n- [x] actions',
    'array[skip] and matrix[no]',
    '[skip citations]',
    '[piscine]',
    'We skip checks: true enough',
    'skip-checks: false',
  ])('are not found in %j, which stays unchanged', (text) => {
    expect(withoutSkipWords(text)).toBe(text);
  });

  it('are all broken up, in any position and context, and a second pass changes nothing', () => {
    fc.assert(
      fc.property(piecesAround, (text) => {
        const broken = withoutSkipWords(text);
        expect(stopsCi(broken)).toBe(false);
        expect(withoutSkipWords(broken)).toBe(broken);
        expect(broken === text || /[[*]|checks/i.test(text)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are searched quickly in long texts that almost contain such words', () => {
    for (const almost of ['[skip ', '[ ', '**NO_CI', '*', 'skip-checks ', '[skip ci'.repeat(3)]) {
      const text = almost.repeat(20_000);
      expect(withoutSkipWords(text)).toBe(text);
    }
    const spaces = `[${' '.repeat(100_000)}skip${' '.repeat(100_000)}`;
    expect(withoutSkipWords(spaces)).toBe(spaces);
  });
});
