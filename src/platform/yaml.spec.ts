import { recordAttack } from '../../test/support/attacks';
import { parseYaml } from './yaml';
import { leastCpuMs } from '../../test/support/least-cpu';

const MOST_BYTES = 64 * 1024;
const MOST_CPU_MS = 1_000;

const filled = (part: string, around: readonly [string, string] = ['', '']) =>
  around[0] + part.repeat(Math.floor((MOST_BYTES - around[0].length - around[1].length) / part.length)) + around[1];
const numbered = (line: (n: number) => string) => {
  const lines: string[] = [];
  for (let length = 0, n = 0; ; n++) {
    length += line(n).length + 1;
    if (length > MOST_BYTES) return lines.join('\n');
    lines.push(line(n));
  }
};
const staircase = (step: string) => numbered((n) => `${' '.repeat(n)}${step}`);

describe('A YAML text', () => {
  it('is parsed', () => {
    expect(parseYaml('a: [1, {b: c}]\nd: |\n  x\n')).toMatchObject({
      type: 'parsed',
      value: { a: [1, { b: 'c' }], d: 'x\n' },
    });
    expect(parseYaml('')).toMatchObject({ type: 'parsed', value: null });
    expect(parseYaml('a: &x [1]\nb: *x')).toMatchObject({ type: 'parsed', value: { a: [1], b: [1] } });
  });

  it.each([
    [['a'], 2],
    [['a', 'b'], 3],
    [['a', 'b', 'nothing'], 3],
    [['nothing'], 2],
    [[], 2],
  ])('returns the line of %j', (path, line) => {
    const read = parseYaml('# first\na: {\n  b: [x]\n}\n');
    expect(read.type === 'parsed' && read.lineOf(...path)).toBe(line);
  });

  it.each([
    ['a: [', 'is not valid YAML: Flow sequence'],
    ['a: *b', 'is not valid YAML: Unresolved alias'],
    ['a: 1\nb: 2\na: 3', 'is not valid YAML: the key "a" is there twice, again at line 3'],
    ['x:\n  - {c: 1, d: 2, c: 3}', 'is not valid YAML: the key "c" is there twice'],
    ['1: a\n1: b', 'is not valid YAML: the key "1" is there twice'],
    [' '.repeat(MOST_BYTES + 1), 'is larger than 64 KiB'],
    [`# ${'ü'.repeat(MOST_BYTES / 2)}`, 'is larger than 64 KiB'],
  ])('is refused with a reason of one line: %j', (text, problem) => {
    const read = parseYaml(text);
    expect(read).toEqual({ type: 'problem', problem: expect.stringContaining(problem) as string });
    expect(JSON.stringify(read)).not.toContain('\\n');
  });
});

describe('attack 11: a YAML text of 64 KiB', () => {
  it.each([
    ['many keys', numbered((n) => `k${n}: 1`)],
    ['many keys in one line', `{${numbered((n) => `k${n}: 1,`).replaceAll('\n', '')}}`],
    ['the same key again and again', filled('a: 1\n')],
    ['keys without values', filled('? a\n')],
    ['a list of lists', filled('[')],
    ['closed lists in one another', '['.repeat(MOST_BYTES / 2) + ']'.repeat(MOST_BYTES / 2)],
    ['mappings in one another', filled('{a: ')],
    ['lists in one another, by dashes', filled('- ')],
    ['keys in one another, by question marks', filled('? ')],
    ['a staircase of keys', staircase('a:')],
    ['a staircase of dashes', staircase('-')],
    ['anchors and aliases', numbered((n) => (n % 2 ? `- *a${n - 1}` : `- &a${n} x`))],
    ['one anchor and many aliases', `- &a x\n${filled('- *a\n')}`.slice(0, MOST_BYTES)],
    [
      'aliases that grow without end',
      numbered((n) => (n === 0 ? 'a0: &a0 [x]' : `a${n}: &a${n} [*a${n - 1}, *a${n - 1}]`)),
    ],
    ['aliases as keys', `- &a x\n${filled('- *a : 1\n')}`.slice(0, MOST_BYTES)],
    ['anchors on nothing', filled('&a ')],
    ['tags on nothing', filled('!t ')],
    ['comments', filled('#\n')],
    ['comments between keys', numbered((n) => `k${n}:\n#\n  #\n  - x`)],
    ['empty lines', filled('\n')],
    ['spaces', filled(' ')],
    ['tabs', filled('\t')],
    ['spaces before a comment', filled(' ', ['a:', '#'])],
    ['a text over many lines', filled('x\n', ['a:\n', ''])],
    ['a text in quotes over many lines', filled('\n ', ['"', '"'])],
    ['a quote that never ends', filled('\\"', ['"', ''])],
    ['single quotes', filled("''", ["'", ''])],
    ['a block text of empty lines', filled('\n', ['a: |\n  x', ''])],
    ['a folded text', filled('  x\n\n', ['a: >\n', ''])],
    ['a folded text with indents', filled('   x\n', ['a: >\n  y\n', ''])],
    ['many documents', filled('---\n')],
    ['many ends of documents', filled('...\n')],
    ['directives', filled('%YAML 1.2\n')],
    ['directives of tags', numbered((n) => `%TAG !t${n}! x`)],
    ['colons', filled(':')],
    ['colons in a line', filled(': ')],
    ['commas', filled(',', ['[', ']'])],
    ['dashes', filled('-')],
    ['digits', filled('1')],
    ['digits and underscores', filled('1_', ['a: ', '.'])],
    ['something like a number', filled('1', ['- ', 'e'])],
    ['something like a date', filled('1-', ['- ', ''])],
    ['escapes', filled('\\u0041', ['"', '"'])],
    ['wrong escapes', filled('\\q', ['"', '"'])],
    ['control characters', filled('\u0001')],
    ['byte order marks', filled('\ufeff').slice(0, MOST_BYTES / 3)],
    ['carriage returns', filled('\r')],
    ['errors without end', filled('}')],
    ['percent signs', filled('%\n')],
    ['implicit keys over lines', filled('[a\n]: ')],
  ])('%s: is parsed or refused within a second', (attack, text) => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MOST_BYTES);
    let type = '';
    const milliseconds = leastCpuMs(() => ({ type } = parseYaml(text)), MOST_CPU_MS);
    recordAttack({ attack, answer: type === 'parsed' ? 'read' : 'refused', milliseconds });
    expect(milliseconds).toBeLessThan(MOST_CPU_MS);
  });
});
