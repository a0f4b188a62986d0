import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, readDocument, ROOT } from './documents';
import { BLOCKS, withBlocks } from './generated/blocks';

const MARK = /^<!-- generated: (.+) -->$/gm;

describe('the generated blocks of the documents', () => {
  it.each(Object.keys(BLOCKS))('follow the code; SLUICE_UPDATE_REFERENCE=1 writes them again: %s', (path) => {
    const page = readDocument(path);
    const made = withBlocks(page, BLOCKS[path]!);
    if (process.env.SLUICE_UPDATE_REFERENCE === '1') writeFileSync(join(ROOT, path), made);
    expect(readDocument(path)).toBe(made);
  });

  it.each(Object.keys(BLOCKS))('have no empty cell in the last column, which people write: %s', (path) => {
    const rows = readDocument(path).split('\n');
    expect(rows.filter((row) => /^\| `.*\|\s+\|$/.test(row))).toEqual([]);
  });

  it('are all listed in the program that writes them', () => {
    const marked = filesIn('docs', '.md').flatMap((path) =>
      [...readDocument(path).matchAll(MARK)].map(([, name]) => `${path}: ${name}`),
    );
    const known = Object.entries(BLOCKS).flatMap(([path, blocks]) =>
      Object.keys(blocks).map((name) => `${path}: ${name}`),
    );
    expect(marked.filter((one) => !/: operations|: .+ metrics$/.test(one)).sort()).toEqual(known.sort());
  });
});
