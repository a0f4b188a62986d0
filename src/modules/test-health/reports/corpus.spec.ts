import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareFolder, type ExpectedCounts, printReport } from '../../../../test/corpus/compare';

const FIXTURES = join(__dirname, '../../../../test/fixtures/junit');

describe('a folder of reports', () => {
  it('is read with the counts of another parser; malformed reports are refused with their line', async () => {
    const report = await compareFolder(FIXTURES);
    expect(report).toMatchObject({ files: 16, equal: 11, repaired: ['colours.xml'], differences: [], results: 26 });
    expect(report.refused).toEqual([
      expect.stringMatching(/^malformed-cut-off.xml, line 4/),
      expect.stringMatching(/^malformed-empty.xml, line 1/),
      expect.stringMatching(/^malformed-entity.xml, line 3/),
      expect.stringMatching(/^malformed-value.xml, line 2/),
    ]);
  });

  it('gives a list of all reports whose counts differ from the counts of the other parser', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
    try {
      cpSync(FIXTURES, folder, { recursive: true });
      const path = join(folder, 'expected.json');
      const expected = JSON.parse(readFileSync(path, 'utf8')) as Record<string, ExpectedCounts>;
      delete expected['latin-1.xml'];
      const changed = {
        ...expected,
        'retries.xml': { ...expected['retries.xml'], failure: 7 },
        'utf-16.xml': { unparsable: 'no' },
        'malformed-value.xml': { tests: 1 },
        'elsewhere.xml': {},
      };
      writeFileSync(path, JSON.stringify(changed));
      const report = await compareFolder(folder);
      expect(report.differences).toEqual([
        'elsewhere.xml: expected, but not there',
        'latin-1.xml: nothing is expected of it',
        expect.stringMatching(/^malformed-value.xml: refused: line 2, /),
        'retries.xml: failure 2, expected 7',
        'utf-16.xml: read, though malformed',
      ]);
      expect(printReport(report)).toMatch(/DIFFERENT retries.xml.*\n[^]*16 files: .* 5 different; 2\d results.\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
