import { filesIn, readDocument } from './documents';

const FOLDER = 'docs/adr';
const SCREEN = 60;
const HEAD =
  /^# (\d+)\. (.+)\n\n\d{4}-\d{2}-\d{2}, (?:accepted|replaced by \[\d+\]\(\d{4}-[\w-]+\.md\))\.\n\n## Context\n/;
const PAGES = filesIn(FOLDER, '.md').map((path) => ({ path, text: readDocument(path) }));

describe('docs/adr', () => {
  it.each(PAGES)('$path has a title, a day, a status, and the three parts in order', ({ text }) => {
    expect(text).toMatch(HEAD);
    expect(text.match(/^#.*$/gm)?.slice(1)).toEqual(['## Context', '## Decision', '## Consequences']);
    for (const part of text.split(/^## .*$/m)) expect(part.trim()).not.toBe('');
  });

  it.each(PAGES)('$path is one screen, with the number of its name', ({ path, text }) => {
    const [, number = ''] = HEAD.exec(text) ?? [];
    expect(path.slice(FOLDER.length + 1)).toMatch(new RegExp(`^${number.padStart(4, '0')}-[a-z0-9-]+\\.md$`));
    expect(text.split('\n').length).toBeLessThanOrEqual(SCREEN);
  });

  it('gives no number twice', () => {
    const numbers = PAGES.map(({ path }) => path.slice(FOLDER.length + 1, FOLDER.length + 5));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
