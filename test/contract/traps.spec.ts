import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const ROW = /^\| (\d+) +\|[^|]*\|[^|]*\| (.*?) +\|$/gm;
const NAMED_TEST = /`([\w./-]+)` › `([^`]+)`/g;

interface Row {
  readonly number: number;
  readonly heldBy: string;
}

/** Whether the source of the file has a test with this title. */
function hasTest(file: string, name: string): boolean {
  const path = join(ROOT, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8');
  return [`('${name}'`, `  '${name}',\n`].some((call) => source.includes(call));
}

describe('the table of traps', () => {
  const text = readFileSync(join(__dirname, 'TRAPS.md'), 'utf8');
  const rows: Row[] = [...text.matchAll(ROW)].map(([, number = '', heldBy = '']) => ({
    number: Number(number),
    heldBy,
  }));
  const tests = rows.flatMap(({ number, heldBy }) =>
    [...heldBy.matchAll(NAMED_TEST)].map(([, file = '', name = '']) => [number, file, name] as const),
  );

  it('has each of the 24 once', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
  });

  it('names a test for each trap, or a reason why there is none', () => {
    const without = rows.filter(({ number }) => !tests.some(([of]) => of === number));
    expect(without.filter(({ heldBy }) => !/^(No test|Not yet): .{20,}/.test(heldBy))).toEqual([]);
  });

  it.each(tests)('%i: %s has the test "%s"', (_, file, name) => {
    expect(hasTest(file, name)).toBe(true);
  });

  it('would notice a missing test', () => {
    expect(hasTest('test/contract/traps.spec.ts', 'would notice a missing test')).toBe(true);
    expect(hasTest('test/contract/traps.spec.ts', 'has each of the 25 once')).toBe(false);
    expect(hasTest('test/contract/no.spec.ts', 'has each of the 24 once')).toBe(false);
  });
});
