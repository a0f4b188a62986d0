import { readDocument } from './documents';

/** Pages that buyers read first. All figures on these pages come from bench/README.md. */
const PAGES = ['README.md', 'docs/why.md', 'docs/comparison.md', 'docs/benchmarks.md'];
const ROWS = readDocument('bench/README.md').split('\n');

/** Passages that a reader sees as a whole: a row of a table, an item of a list, or a paragraph. */
function passagesOf(text: string): readonly string[] {
  return text.split(/\n(?=\||- |\n)/).filter((passage) => passage.trim() !== '');
}

/** Figures in the texts of links to the page of a benchmark. */
function figuresIn(passage: string): readonly { readonly page: string; readonly numbers: readonly string[] }[] {
  return [...passage.matchAll(/\[([^\]]*\d[^\]]*)\]\((?:\.\.\/)?bench\/([\w-]+\.md)\)/g)].map(
    ([, text = '', page = '']) => ({ page, numbers: text.match(/\d[\d.,]*\d|\d/g) ?? [] }),
  );
}

function faultsOf(text: string): readonly string[] {
  return passagesOf(text).flatMap((passage) => {
    const figures = figuresIn(passage);
    if (figures.length > 0 && !passage.includes('`npm run ')) return [`no command: ${passage}`];
    return figures.flatMap(({ page, numbers }) => {
      const rows = ROWS.filter((row) => row.includes(`(${page})`)).join('\n');
      const known: readonly string[] = rows.match(/\d[\d.,]*\d|\d/g) ?? [];
      return numbers.filter((number) => !known.includes(number)).map((number) => `${number} is not in ${page}`);
    });
  });
}

describe('the pages that buyers read first', () => {
  it.each(PAGES)('%s: every figure is in bench/README.md, and its command is named', (path) => {
    const text = readDocument(path);
    expect(passagesOf(text).flatMap(figuresIn).length).toBeGreaterThan(2);
    expect(faultsOf(text)).toEqual([]);
  });

  it.each([
    ['- [0.41](../bench/culprit.md) test runs: `npm run bench:culprit`', '0.41 is not in culprit.md'],
    ['- [0.40](../bench/culprit.md) test runs', 'no command: - [0.40](../bench/culprit.md) test runs'],
  ])('fail the check with %s', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it('README.md has at most 90 lines', () => {
    expect(readDocument('README.md').split('\n').length - 1).toBeLessThanOrEqual(90);
  });
});
