import { filesIn, readDocument } from './documents';

const FOLDER = 'docs/adr';
const INDEX = `${FOLDER}/README.md`;
const SCREEN = 60;
const HEAD =
  /^# (\d+)\. (.+)\n\n\d{4}-\d{2}-\d{2}, (accepted|replaced by \[\d+\]\(\d{4}-[\w-]+\.md\))\.\n\n## Context\n/;
const PAGES = filesIn(FOLDER, '.md')
  .filter((path) => path !== INDEX)
  .sort()
  .map((path) => ({ path, name: path.slice(FOLDER.length + 1), text: readDocument(path) }));

interface Row {
  readonly number: string;
  readonly title: string;
  readonly name: string;
  readonly status: string;
}

function rowOf({ name, text }: (typeof PAGES)[number]): Row {
  const [, number = '', title = '', status = ''] = HEAD.exec(text) ?? [];
  return { number, title, name, status };
}

function rowsOfIndex(): readonly Row[] {
  const rows = [...readDocument(INDEX).matchAll(/^\| (\d+) +\| \[(.+)\]\(([\w-]+\.md)\) +\| (.+?) +\|$/gm)];
  return rows.map(([, number = '', title = '', name = '', status = '']) => ({ number, title, name, status }));
}

describe('docs/adr', () => {
  it.each(PAGES)('$path has a title, a day, a status, and the four parts in order', ({ text }) => {
    expect(text).toMatch(HEAD);
    expect(text.match(/^#.*$/gm)?.slice(1)).toEqual([
      '## Context',
      '## Decision',
      '## Alternatives',
      '## Consequences',
    ]);
    for (const part of text.split(/^## .*$/m)) expect(part.trim()).not.toBe('');
  });

  it.each(PAGES)('$path fits on one screen, and its title has the number of its file name', ({ name, text }) => {
    const [, number = ''] = HEAD.exec(text) ?? [];
    expect(name).toMatch(new RegExp(`^${number.padStart(4, '0')}-[a-z0-9-]+\\.md$`));
    expect(text.split('\n').length).toBeLessThanOrEqual(SCREEN);
  });

  it('numbers the pages from 1 without a gap', () => {
    const numbers = PAGES.map(({ name }) => Number(name.slice(0, 4)));
    expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
  });

  it('has an index with number, decision and status of each page', () => {
    expect(rowsOfIndex()).toEqual(PAGES.map(rowOf));
  });
});
