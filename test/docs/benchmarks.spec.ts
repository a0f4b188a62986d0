import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownOf, markerOf, replaceResults } from '../bench/results';

const ROOT = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** Every command that writes results, as its script and the page with its results. */
const BENCHMARKS = [
  ...Object.keys(scripts).flatMap((script) =>
    script.startsWith('bench:') ? [[script, script.slice(6)] as const] : [],
  ),
  ['test:faults', 'faults'] as const,
  ['test:exhaustive', 'exhaustive'] as const,
  ['test:prometheus', 'prometheus'] as const,
  ['test:runners', 'runners'] as const,
];

describe('bench/README.md', () => {
  it.each(BENCHMARKS)('has a result of %s, and a link to its tables', (script, name) => {
    const lines = read('bench/README.md').split('\n');
    const line = lines.find((one) => one.startsWith(`| \`npm run ${script}\``));
    expect(line).toContain(`(${name}.md)`);
  });
});

describe('a page of results in bench', () => {
  it.each(BENCHMARKS)('exists for %s', (script, name) => {
    const page = `bench/${name}.md`;
    expect(existsSync(join(ROOT, page)) && read(page).split(markerOf(script))).toHaveLength(2);
  });

  it('keeps handwritten text when new results replace the earlier results', () => {
    const before = `# A page\n\nHow it is measured.\n\n${markerOf('bench:x')}\n\n- old\n`;
    const after = replaceResults(before, 'bench:x', '- new');
    expect(after).toBe(`# A page\n\nHow it is measured.\n\n${markerOf('bench:x')}\n\n- new\n`);
    expect(() => replaceResults('# A page\n', 'bench:x', '- new')).toThrow('must hold the line');
  });

  it('has its notes as lists, and a blank line around each table', () => {
    const note = (text: string) => ({ type: 'note', text }) as const;
    const table = { type: 'table', lines: ['### t', '', '| a |'] } as const;
    expect(markdownOf([note('one'), note('two'), table, note('three')])).toBe(
      '- one\n- two\n\n### t\n\n| a |\n\n- three',
    );
  });
});

describe('docs/benchmarks.md', () => {
  const page = read('docs/benchmarks.md');

  it('answers five questions', () => {
    expect([...page.matchAll(/^## .*\?$/gm)]).toHaveLength(5);
  });

  it.each(BENCHMARKS)('says "missed" for a missed goal of %s', (script, name) => {
    const isMissed = /^- missed: /m.test(read(`bench/${name}.md`));
    const rows = page.split('\n').filter((line) => line.includes(`\`npm run ${script}\``));
    const said = rows.some((row) => row.includes('**missed**'));
    expect({ isMissed, said }).toEqual({ isMissed, said: isMissed });
  });
});
