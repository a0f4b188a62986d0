import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './documents';
import { countHabits, type Counts, hitsOf, readAllowed } from './style/counts';
import { type Kind, unitsOf } from './style/kinds';
import { brokenRules, mostBroken, RULES } from './style/rules';
import { sentencesIn, wordsIn } from './style/sentences';

/** The kinds of text that have to be under every bar. `total` is in this list when the list has all kinds. */
const KINDS_HELD: readonly (Kind | 'total')[] = [
  'docs',
  'adr',
  'changelog',
  'messages',
  'openapi',
  'cli',
  'page',
  'comments',
  'tests',
  'total',
];

const LONGEST_ALLOW_LIST = 60;
const READING_MS = 120_000;

const sentencesOf = (text: string) => sentencesIn({ file: 'a.md', line: 1, text }).map((one) => one.text);
const rulesOf = (text: string) => brokenRules({ file: 'docs/a.md', line: 1, text }, false);

describe('the texts of the project', () => {
  let counts: Counts;

  beforeAll(() => {
    counts = countHabits();
  }, READING_MS);

  it.each(KINDS_HELD.flatMap((kind) => RULES.map((rule) => [kind, rule] as const)))(
    'stay under the limit of style errors: %s, rule %s',
    (kind, rule) => {
      const hits = hitsOf(counts, kind, rule).map(({ file, line, text }) => `${file}:${line} ${text}`);
      const isOver = hits.length > mostBroken(counts.sentences[kind], rule);
      expect(isOver ? hits : []).toEqual([]);
    },
  );

  it('are all counted: thousands of sentences of docs, comments and titles', () => {
    expect(counts.sentences.docs).toBeGreaterThan(5_000);
    expect(counts.sentences.comments).toBeGreaterThan(5_000);
    expect(counts.sentences.tests).toBeGreaterThan(3_000);
    for (const kind of ['adr', 'messages', 'openapi', 'cli'] as const) {
      expect(counts.sentences[kind]).toBeGreaterThan(500);
    }
  });

  it('include every phrase of the allow list', () => {
    expect(counts.unused).toEqual([]);
  });
});

describe('the allow list', () => {
  const allowed = readAllowed();

  it(`has at most ${LONGEST_ALLOW_LIST} lines, each with a file, a phrase and a reason`, () => {
    expect(allowed.length).toBeLessThanOrEqual(LONGEST_ALLOW_LIST);
    expect(allowed.filter(({ phrase, reason }) => phrase === '' || reason === '')).toEqual([]);
    expect(allowed.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('hides only the sentence with its phrase', () => {
    const units = unitsOf('docs/a.md', 'The red line moves.\n\nThe light is red here.\n\nThe run is red.\n');
    const counted = countHabits(units, [{ file: 'docs/a.md', phrase: 'light is red', reason: 'a traffic light' }]);
    expect(counted.hits.map(({ text }) => text)).toEqual(['The run is red.']);
    expect(counted.unused).toEqual([]);
  });
});

describe('a style rule', () => {
  it.each([
    ['What waits is tested first.', ['opener']],
    ['Whoever submits gets an answer.', ['opener']],
    ['Of these runs one passed.', ['opener']],
    ['Those of the queue count.', ['that-of']],
    ['The time is that of the service.', ['that-of']],
    ['The run is red.', ['word']],
    ['It was sent back yesterday.', ['word']],
    ['The queue takes it out.', ['word']],
    ['Run it by hand.', ['word']],
    ['The service is told about it.', ['word']],
    ['The pull request landed.', ['word']],
    [`${'very '.repeat(31)}long.`, ['long']],
  ] as const)('finds a sentence: %j', (text, rules) => {
    expect(rulesOf(text)).toEqual(rules);
  });

  it.each([
    'What does it cost?',
    'What next',
    'Of course it merges.',
    'The queue merges what passed.',
    'A red dot marks it.',
    'Nobody can forge a signature.',
    'The landing page says so.',
    'Choose `red` or `green`.',
    'Without doubt it passed.',
  ])('does not find a sentence without the habit: %j', (text) => {
    const [unit] = unitsOf('docs/a.md', text);
    expect(brokenRules(unit!, false)).toEqual([]);
  });

  it('allows "land" in comments and titles of the engine, and not in its messages', () => {
    const source = "/** A run lands alone. */\nexport const x = refused('Nothing landed here.');\n";
    expect(countHabits(unitsOf('src/engine/a.ts', source), []).hits.map(({ kind }) => kind)).toEqual(['messages']);
    expect(countHabits(unitsOf('src/modules/a.ts', source), []).hits.map(({ kind }) => kind)).toEqual([
      'comments',
      'messages',
    ]);
  });
});

describe('a text of the project', () => {
  it.each([
    ['One. Two words here. Three words here!', ['Two words here.', 'Three words here!']],
    ['Use tools, e.g. git, for it. They work well.', ['Use tools, e.g. git, for it.', 'They work well.']],
    ['Version 1.2.3 works well. `npm test`', ['Version 1.2.3 works well. `npm test`']],
  ])('is split into sentences: %j', (text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });

  it('counts several names in a row as one word', () => {
    expect(wordsIn('Set \u25a1, \u25a1 and \u25a1 now.')).toBe(3);
  });

  it('counts as a comment, title, message or page by the place where it stands', () => {
    const kindsIn = (file: string, source: string) => unitsOf(file, source).map(({ kind, text }) => [kind, text]);
    expect(kindsIn('src/a.ts', "// One comment\n// of two lines.\nconst a = 'no // comment';\n")).toEqual([
      ['comments', 'One comment\nof two lines.'],
    ]);
    expect(kindsIn('src/a.ts', "throw new DomainError('X', `The queue ${'of ' + name} ` + 'is full.');")).toEqual(
      expect.arrayContaining([['messages', 'The queue \u25a1 is full.']]),
    );
    expect(
      kindsIn('src/a.spec.ts', "describe('a queue', () => it.each([])('merges %s', () => x('is no title')));"),
    ).toEqual([
      ['tests', 'a queue'],
      ['tests', 'merges %s'],
    ]);
    expect(kindsIn('src/a.dto.ts', "const a = { description: 'The number of it.' };")).toEqual([
      ['openapi', 'The number of it.'],
    ]);
    expect(kindsIn('src/a.dto.ts', "class A { @AnInteger('How often the test passed.', 3) passed: number; }")).toEqual([
      ['openapi', 'How often the test passed.'],
    ]);
    expect(kindsIn('docs/a.md', '# A title\n\n- an *item* of `code`\n\n| a cell | b |\n| --- | --- |\n')).toEqual(
      expect.arrayContaining([
        ['docs', 'A title'],
        ['docs', 'an item of \u25a1'],
      ]),
    );
  });

  it.each([
    ['a finding', "const found = problem(about, `the rule ${rule} protects it`, 'Remove the rule first.');", 2],
    ['an advice in a table', "const TABLE = [['pattern', { way: 'Remove the pattern first.' }]];", 1],
    ['the help of a metric', "new Gauge({ name: 'a_b', help: 'Age of the oldest item.' });", 1],
    ['a text that a function returns', 'const words = (count: number) => `${count} tests are missing here`;', 1],
  ])('is counted as a message wherever it stands in src: %s', (_name, source, texts) => {
    const kinds = unitsOf('src/a.ts', source).map(({ kind }) => kind);
    expect(kinds).toEqual(Array.from({ length: texts }, () => 'messages'));
  });

  it.each(['SELECT "id" FROM "Queue" WHERE 1', 'mount -t proc proc /proc', 'text/html; charset=utf-8', 'merge_queue'])(
    'is not counted if it is a statement, a script or a name: %s',
    (text) => {
      expect(unitsOf('src/a.ts', `const a = ${JSON.stringify(text)};`)).toEqual([]);
    },
  );

  it('is counted on a page between tags with attributes', () => {
    const source = 'const a = html`<p class="soft">The queue is empty.</p>`;';
    expect(unitsOf('src/ui/a.ts', source).map(({ text }) => text)).toContain('The queue is empty.');
  });
});
