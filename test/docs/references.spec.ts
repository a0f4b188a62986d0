import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { commentsOf, filesIn, proseOf, readDocument, ROOT } from './documents';

const DOCUMENTS = filesIn('.', '.md');
/** Documents whose text names files of the repository even outside links. */
const GUIDES = DOCUMENTS.filter((path) => path.startsWith('docs/') || !path.includes('/'));
const DECISIONS = filesIn('docs/adr', '.md').map((path) => Number.parseInt(basename(path), 10));
const ALL_SOURCES = filesIn('.', '.ts');
/** Every source except this spec, which contains broken references as examples. */
const SOURCES = [...filesIn('src', '.ts'), ...filesIn('test', '.ts')].filter((path) => !__filename.endsWith(path));

/** The anchor that GitHub gives to a heading. Repeated headings are not distinguished. */
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

function missingPaths(text: string): readonly string[] {
  const named = [...text.matchAll(/`((?:src|test|docs|prisma|docker|\.ci)\/[\w./-]+)`/g)];
  return named.map(([, file]) => file ?? '').filter((file) => !existsSync(join(ROOT, file)));
}

/**
 * Files that a document names by the last folders of their paths, such as `requests/roles.ts`, but that do not exist.
 */
function unknownFiles(text: string): readonly string[] {
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.ts)`/g)].map(([, file]) => file ?? '');
  return named.filter((file) => !ALL_SOURCES.some((path) => `/${path}`.endsWith(`/${file}`)));
}

/** The text without the files that a walk in CONTRIBUTING.md lets its reader create. */
function withoutNewFiles(text: string): string {
  return text.replace(/^New file `[^`]+`:$/gm, '');
}

/** Whether the document is a changelog or a decision, which may name files of earlier versions. */
function isHistory(path: string): boolean {
  return path === 'CHANGELOG.md' || path.startsWith('docs/adr/');
}

function unknownDocuments(text: string): readonly string[] {
  const known = new Set(DOCUMENTS.map((document) => basename(document)));
  return (text.match(/[\w-]+\.md\b/g) ?? []).filter((name) => !known.has(name));
}

/** Names of decisions that do not exist. A decision is named by its number, or by its file name without the title. */
function unknownDecisions(text: string): readonly string[] {
  const named = [...text.matchAll(/(?:\bdecision |\badr[ /-])(\d+)/gi)];
  return named.filter(([, number]) => !DECISIONS.includes(Number(number))).map(([name]) => name);
}

/** References to numbers of an issue tracker, and to folders that do not exist in a checkout. */
function outsideReferences(text: string): readonly string[] {
  return (
    text.match(
      /\b(?:issue|ticket|card) #?\d+|\bthe issue (?:asks|demands|names|says|wants)|\b(?:design|spec)\/\w+/gi,
    ) ?? []
  );
}

function brokenReferences(text: string): readonly string[] {
  return [...missingPaths(text), ...unknownDocuments(text), ...unknownDecisions(text), ...outsideReferences(text)];
}

describe('the references of documents:', () => {
  it.each(DOCUMENTS)('%s links only to existing files and headings', (path) => {
    expect(brokenLinks(path)).toEqual([]);
  });

  it.each(GUIDES)('%s names only files of this repository', (path) => {
    const text = withoutNewFiles(readDocument(path));
    expect([...missingPaths(text), ...unknownDocuments(text)]).toEqual([]);
  });

  it.each(DOCUMENTS.filter((path) => !isHistory(path)))('%s names no source file that does not exist', (path) => {
    expect(unknownFiles(withoutNewFiles(readDocument(path)))).toEqual([]);
  });

  it.each(DOCUMENTS)('%s names only decisions that have a page', (path) => {
    expect(unknownDecisions(readDocument(path))).toEqual([]);
  });

  it('more than 20 documents are checked', () => {
    expect(GUIDES.length).toBeGreaterThan(20);
  });
});

describe('the references in comments', () => {
  it('name only files and decisions of this repository', () => {
    const broken = SOURCES.map((path) => [path, brokenReferences(commentsOf(readDocument(path)))] as const);
    expect(broken.filter(([, references]) => references.length > 0)).toEqual([]);
  });

  it.each([
    ['/** As in behaviour.md. */', 'behaviour.md'],
    ['const a = 1; // decision 999', 'decision 999'],
    ['/** See ADR 0999. */', 'ADR 0999'],
    ['// see docs/adr/0999', 'adr/0999'],
    ['/**\n * See issue 4.\n */', 'issue 4'],
    [' // `test/nothing.ts` says so', 'test/nothing.ts'],
  ])('are found: %j', (source, name) => {
    expect(brokenReferences(commentsOf(source))).toEqual([name]);
  });
});
