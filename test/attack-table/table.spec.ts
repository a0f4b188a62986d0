import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, specsWithAttacks } from './specs';
import { SUBJECTS } from './subjects';
import { brokenFiles, rowsOf, summaryOf, type TestResults } from './table';

/** `titles`: the titles of `describe` and `it`, with ` > ` between them. */
const resultsOf = (...tests: readonly (readonly [titles: string, status: string])[]): TestResults => ({
  testResults: [
    {
      name: 'a.spec.ts',
      message: '',
      assertionResults: tests.map(([titles, status]) => {
        const all = titles.split(' > ');
        const [ancestorTitles, title = ''] = [all.slice(0, -1), all.at(-1)];
        return { fullName: all.join(' '), ancestorTitles, title, status, duration: 1_500 };
      }),
    },
  ],
});

describe('The table of attacks', () => {
  it('has a row for each record of a test, and one for each test without a record, by number', () => {
    const results = resultsOf(
      ['attack 14: a redirect > to another host > is not followed', 'passed'],
      ['The command line > attack 16: keeps its token', 'passed'],
      ['attack 9: a body is refused', 'passed'],
      ['another test', 'passed'],
    );
    const record = { test: 'attack 9: a body is refused', attack: '5 million texts', answer: '400', milliseconds: 420 };
    expect(rowsOf(results, [{ ...record, mebibytes: 99.6 }, record])).toEqual([
      { number: 9, attack: '5 million texts', answer: '400', time: '420 ms', memory: '100 MiB', status: 'held' },
      { number: 9, attack: '5 million texts', answer: '400', time: '420 ms', memory: '', status: 'held' },
      {
        ...{ number: 14, attack: 'a redirect', answer: 'to another host: is not followed' },
        ...{ time: '1.5 s', memory: '', status: 'held' },
      },
      {
        ...{ number: 16, attack: 'The command line', answer: 'keeps its token' },
        ...{ time: '1.5 s', memory: '', status: 'held' },
      },
    ]);
  });

  it('shows failed tests, omits tests that did not run, and ends with the total number of tests', () => {
    const rows = rowsOf(
      resultsOf(['attack 1: x', 'failed'], ['attack 2: y', 'pending'], ['attack 3: z', 'passed']),
      [],
    );
    expect(rows.map(({ number, status }) => [number, status])).toEqual([
      [1, 'FAILED'],
      [3, 'held'],
    ]);
    expect(summaryOf(rows)).toBe('attacks: 1 passed, 1 failed, 0 skipped');
  });

  it('shows tests that were skipped while they ran, with the reason', () => {
    const rows = rowsOf(resultsOf(['attack 8: checks (skipped: it needs root) > see nothing', 'pending']), []);
    expect(rows).toMatchObject([{ number: 8, answer: 'skipped: it needs root', status: 'skipped' }]);
    expect(summaryOf(rows)).toBe('attacks: 0 passed, 0 failed, 1 skipped');
  });

  it('has a subject for exactly those attack numbers that tests have', () => {
    const texts = specsWithAttacks().map((path) => readFileSync(join(PROJECT, path), 'utf8'));
    const numbers = texts.flatMap((text) =>
      [...text.matchAll(/\battack (\d+)[:,]/g)].map(([, number]) => Number(number)),
    );
    expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(Object.keys(SUBJECTS).map(Number));
  });

  it('names the spec files that could not be run', () => {
    expect(
      brokenFiles({ testResults: [{ name: 'b.spec.ts', message: 'no such module', assertionResults: [] }] }),
    ).toEqual(['b.spec.ts: no such module']);
  });
});
