import { ARCHITECTURE, madeFromTheCode } from './architecture';
import { readDocument } from './documents';

/** Prettier pads tables: that is no difference. */
function unpadded(markdown: string): string {
  return markdown.replace(/ +\|/g, ' |').replace(/\| +/g, '| ').replace(/-{3,}/g, '---');
}

describe('docs/architecture.md', () => {
  it('shows the rooms, their imports and the background jobs as they are: `npm run docs:architecture` writes them', () => {
    const document = readDocument(ARCHITECTURE);
    expect(unpadded(madeFromTheCode(document))).toBe(unpadded(document));
  });

  it('answers ten questions of a newcomer, each with one file', () => {
    const rows = readDocument(ARCHITECTURE)
      .split('## Ten questions of a newcomer')[1]!
      .split('\n')
      .filter((line) => /^\| \d+ /.test(line));
    expect(rows).toHaveLength(10);
    for (const row of rows) expect(row.match(/\]\(\.\.\/[^)]+\)/g)).toHaveLength(1);
  });
});
