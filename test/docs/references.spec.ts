import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { filesIn, proseOf, readDocument, ROOT } from './documents';

const DOCUMENTS = filesIn('.', '.md');
/** Documents whose text names files of the repository beside its links. */
const GUIDES = DOCUMENTS.filter((path) => path.startsWith('docs/') || !path.includes('/'));

/** As GitHub names the anchor of a heading; a second one of the same name is not told apart. */
function anchorOf(heading: string): string {
  const text = heading.replace(/[`*]|\]\([^)]*\)|\[/g, '').toLowerCase();
  return text.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
}

function anchorsOf(path: string): readonly string[] {
  return [...proseOf(readDocument(path)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? ''));
}

function brokenLinks(path: string): readonly string[] {
  const links = [...proseOf(readDocument(path)).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(
    ([, target]) => target ?? '',
  );
  return links.filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
}

/** Of the repository's own folders, as `src/engine/README.md`. */
function missingPaths(path: string): readonly string[] {
  const named = [...readDocument(path).matchAll(/`((?:src|test|docs|prisma|docker|\.ci)\/[\w./-]+)`/g)];
  return named.map(([, file]) => file ?? '').filter((file) => !existsSync(join(ROOT, file)));
}

function unknownDocuments(path: string): readonly string[] {
  const known = new Set(DOCUMENTS.map((document) => basename(document)));
  const named = [...readDocument(path).matchAll(/[\w-]+\.md\b/g)].map(([name]) => name);
  return named.filter((name) => !known.has(name));
}

describe('a document', () => {
  it.each(DOCUMENTS)('%s links to files and headings that are there', (path) => {
    expect(brokenLinks(path)).toEqual([]);
  });

  it.each(GUIDES)('%s names only files of this repository', (path) => {
    expect(missingPaths(path)).toEqual([]);
    expect(unknownDocuments(path)).toEqual([]);
  });

  it('is one of many', () => {
    expect(GUIDES.length).toBeGreaterThan(20);
  });
});
