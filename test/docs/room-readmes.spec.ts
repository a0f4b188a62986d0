import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument, ROOT } from './documents';

const ROOMS = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
  .map(({ name }) => name);
const DEATHS = 'src/processing/README.md';
const STEPS = ['request', 'submission', 'decision', 'COMMIT', 'outbox', 'host call', 'result', 'notification'];

interface Death {
  readonly step: string;
  readonly test: string;
  readonly title: string;
}

/** The rows of the document's table. The last cell of a row names a test by file and title. */
function deathsIn(document: string): readonly Death[] {
  const rows = document.matchAll(/^\| \*\*(.+?)\*\*.*\| `(test\/[\w./-]+)`[^|"]*"([^|"]+)" +\|$/gm);
  return [...rows].map(([, step = '', test = '', title = '']) => ({ step, test, title }));
}

function isThere({ test, title }: Death): boolean {
  return existsSync(join(ROOT, test)) && readDocument(test).includes(title);
}

describe('a top folder of src', () => {
  it.each(ROOMS)('%s has a README of ten lines or more', (room) => {
    expect(existsSync(join(ROOT, 'src', room, 'README.md'))).toBe(true);
    expect(readDocument(`src/${room}/README.md`).split('\n').length).toBeGreaterThan(10);
  });
});

describe('the table of crashes in src/processing/README.md', () => {
  const deaths = deathsIn(readDocument(DEATHS));

  it('has each step of a request, in the order of the steps', () => {
    expect([...new Set(deaths.map(({ step }) => step))]).toEqual(STEPS);
  });

  it('has only rows that this spec can read', () => {
    expect(deaths).toHaveLength(readDocument(DEATHS).match(/^\| \*\*/gm)?.length ?? 0);
  });

  it('names existing tests by file and title', () => {
    expect(deaths.filter((death) => !isThere(death))).toEqual([]);
  });

  it('fails this spec when a test of the table is deleted or renamed', () => {
    const row =
      '| **outbox**: claimed | a lease | it ends | `test/integration/outbox.spec.ts`: "gives nothing to nobody" |';
    expect(deathsIn(row).map(isThere)).toEqual([false]);
  });
});
