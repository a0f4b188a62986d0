import { ARCHITECTURE, madeFromTheCode } from './architecture';
import { filesIn, readDocument } from './documents';

/** Removes the spaces that prettier adds to align tables. */
function unpadded(markdown: string): string {
  return markdown.replace(/ +\|/g, ' |').replace(/\| +/g, '| ').replace(/-{3,}/g, '---');
}

interface Place {
  readonly file: string;
  readonly symbol: string;
}

function rowsBelow(heading: string): readonly string[] {
  const [, below = ''] = readDocument(ARCHITECTURE).split(`${heading}\n`);
  const [section = ''] = below.split('\n## ');
  return section.split('\n').filter((line) => line.includes(']('));
}

/** Matches an import of the class `Sql` itself; an import of its transaction alone does not match. */
const IMPORTS_SQL = /^import (?:type )?\{(?:[^}]*[ ,])?(?:type )?Sql(?:,[^}]*)? \} from '[^']*\/database\/sql'/m;

/** Each place is a file, and the name in it at which to start reading. */
function placesIn(row: string): readonly Place[] {
  const places = row.matchAll(/\]\(\.\.\/([\w./-]+)\) `([^`]+)`/g);
  return [...places].map(([, file = '', symbol = '']) => ({ file, symbol }));
}

describe('docs/architecture.md', () => {
  it('shows the present folders, imports and background jobs: `npm run docs:architecture` writes them', () => {
    const document = readDocument(ARCHITECTURE);
    expect(unpadded(madeFromTheCode(document))).toBe(unpadded(document));
  });

  it('lists every file of modules that uses `Sql`, with one of four reasons', () => {
    const rows = rowsBelow('## Where `modules` use `Sql`');
    const listed = rows.map((row) => /\[`([^`]+)`\]/.exec(row)?.[1]);
    const using = filesIn('src/modules', '.ts').filter(
      (path) => !path.endsWith('.spec.ts') && IMPORTS_SQL.test(readDocument(path)),
    );
    expect(listed).toEqual(using.toSorted());
    const kinds = rows.map((row) => row.split('|')[2]!.trim());
    expect(kinds.filter((kind) => !['COPY', 'every request', 'one moment', 'retention'].includes(kind))).toEqual([]);
  });

  it('answers twelve questions of a newcomer, each with at most three files and a name to look for', () => {
    const rows = rowsBelow('## Twelve questions of a newcomer');
    expect(rows).toHaveLength(12);
    for (const row of rows) {
      const places = placesIn(row);
      expect([1, 2, 3]).toContain(places.length);
      expect(row.match(/\]\(/g)).toHaveLength(places.length);
      expect(places.filter(({ file, symbol }) => !readDocument(file).includes(symbol))).toEqual([]);
    }
  });

  it('answers each of the other questions with one file', () => {
    const rows = rowsBelow('## More questions');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.match(/\]\(\.\.\/[^)]+\)/g)).toHaveLength(1);
  });
});
