import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '../..');
const OWN = ['test/support/only-where.ts', 'test/support/only-where.spec.ts'];
/** Specs that read or write test suites of other runners. */
const OF_OTHERS = [
  'src/cli/upload/runner-counts.spec.ts',
  'src/modules/test-health/reports/junit/cut-off.ts',
  'test/runners/suites/javascript.ts',
];

describe('All specs', () => {
  it("skip a test only by itWhere or describeWhere, with the reason in the test's name", () => {
    const files = ['src', 'test']
      .flatMap((root) => readdirSync(join(PROJECT, root), { recursive: true }).map((name) => join(root, String(name))))
      .filter(
        (path) => path.endsWith('.ts') && !path.startsWith('src/generated/') && ![...OWN, ...OF_OTHERS].includes(path),
      );
    const skips = /\b(it|test|describe)\.(skip|only|todo)\b|\b[xf](it|describe)\(/;
    expect(files.filter((path) => skips.test(readFileSync(join(PROJECT, path), 'utf8')))).toEqual([]);
  });
});
