import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { ReaderOfEndlessReports } from '../../../../../test/support/endless-report';
import { MAX_ATTRIBUTE_CHARACTERS, MAX_ATTRIBUTES, MAX_DEPTH, MAX_FAILURE_TEXT_CHARACTERS } from '../limits';
import { MalformedReport } from '../malformed-report';
import { readReport } from '../read-report';
import type { ReportCounts, ReportedResult } from '../reported-result';

interface Read {
  readonly results: readonly ReportedResult[];
  readonly counts: ReportCounts;
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Read> {
  const results: ReportedResult[] = [];
  const reading = readReport(chunks, { fileName: 'report.xml' });
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return { results, counts: value };
    results.push(...value);
  }
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

/** Reads the document at once and byte by byte. Both reads must give the same results. */
async function read(document: string | Uint8Array): Promise<Read> {
  const bytes = Buffer.from(document);
  const whole = await readAll(inPieces(bytes, bytes.length));
  if (bytes.length < 20_000) expect(await readAll(inPieces(bytes, 1))).toEqual(whole);
  return whole;
}

async function refusalOf(document: string | Uint8Array): Promise<MalformedReport> {
  const bytes = Buffer.from(document);
  const refusals = [];
  for (const size of [bytes.length, ...(bytes.length < 20_000 ? [1] : [])]) {
    refusals.push(await readAll(inPieces(bytes, size)).catch((error: unknown) => error));
  }
  const [whole, ...others] = refusals;
  if (!(whole instanceof MalformedReport)) throw new Error('It was read.');
  for (const other of others) expect(other).toMatchObject({ line: whole.line, reason: whole.reason });
  return whole;
}

/** The result of a document with one test case. */
async function caseOf(testCase: string, suite = ''): Promise<ReportedResult> {
  const { results } = await read(`<testsuite name="suite" ${suite}>${testCase}</testsuite>`);
  expect(results).toHaveLength(1);
  return results[0]!;
}

const namesAndOutcomes = ({ results }: Read): string[] =>
  results.map(({ name, outcome, failure }) => `${name} ${outcome}${failure === null ? '' : `: ${failure.message}`}`);

describe('A JUnit report', () => {
  it('gives the service all facts about a test case', async () => {
    const { results, counts } = await read(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="all" tests="1">
  <testsuite name="widgets" file="tests/widgets.py" timestamp="2026-01-31T12:00:00">
    <testcase name="turns &lt;left&gt;" classname="tests.Widgets" time="0.5">
      <failure message="expected 1" type="AssertionError">at line 7
      of it</failure>
    </testcase>
  </testsuite>
</testsuites>`);
    expect(results).toEqual([
      {
        name: 'turns <left>',
        classname: 'tests.Widgets',
        parent: 'widgets',
        file: 'tests/widgets.py',
        outcome: 'failed',
        durationMs: 500,
        reportedAt: new Date('2026-01-31T12:00:00Z'),
        failure: { message: 'expected 1', text: 'at line 7\n      of it' },
        line: 4,
      },
    ]);
    expect(counts).toEqual({
      suites: 1,
      tests: 1,
      passed: 0,
      failures: 1,
      errors: 0,
      skipped: 0,
      flaky: 0,
      rerun: 0,
      results: 1,
      unmetTotals: [],
    });
  });

  it('may have a test case without any attribute', async () => {
    expect(await caseOf('<testcase/>')).toEqual({
      name: '',
      classname: '',
      parent: 'suite',
      file: '',
      outcome: 'passed',
      durationMs: null,
      reportedAt: null,
      failure: null,
      line: 1,
    });
  });

  it('names the suites around a test case from the outside in, each once', async () => {
    const { results } = await read(
      `<testsuites name="root"><testsuite name="a"><testsuite name="a"><testsuite name=""><testsuite name="b">
        <testcase name="deep"/></testsuite></testsuite></testsuite><testcase name="flat"/></testsuite></testsuites>`,
    );
    expect(results.map(({ name, parent }) => [name, parent])).toEqual([
      ['deep', 'a > b'],
      ['flat', 'a'],
    ]);
  });

  it('has the file and time of the nearest element around a test case that names them', async () => {
    const inner = '<testsuite name="in" filepath="in.rb" timestamp="2026-01-02"><testcase name="a"/></testsuite>';
    expect(await caseOf(inner, 'file="out.rb" timestamp="2026-01-01"')).toMatchObject({
      file: 'in.rb',
      reportedAt: new Date('2026-01-02'),
    });
    const own = '<testcase name="a" file="own.rb" timestamp="2026-01-03"/>';
    expect(await caseOf(own, 'file="out.rb" timestamp="2026-01-01"')).toMatchObject({
      file: 'own.rb',
      reportedAt: new Date('2026-01-03'),
    });
  });

  it.each([
    ['<testcase name="a"/>', 'passed'],
    ['<testcase name="a"><failure/></testcase>', 'failed'],
    ['<testcase name="a"><error/></testcase>', 'failed'],
    ['<testcase name="a"><skipped/></testcase>', 'skipped'],
    ['<testcase name="a"><skipped/><failure/></testcase>', 'failed'],
    ['<testcase name="a" status="run" result="completed"/>', 'passed'],
    ['<testcase name="a" status="notrun"/>', 'skipped'],
    ['<testcase name="a" status="notrun" result="suppressed"/>', 'skipped'],
    ['<testcase name="a" status="run" result="skipped"/>', 'skipped'],
    ['<testcase name="a" status="Disabled"/>', 'skipped'],
    ['<testcase name="a" status="not_run"/>', 'skipped'],
    ['<testcase name="a" status="failed"/>', 'failed'],
    // An attribute never hides a reported failure.
    ['<testcase name="a" status="disabled"><failure/></testcase>', 'failed'],
    // The output of a test may contain anything.
    ['<testcase name="a"><system-out><failure/></system-out></testcase>', 'passed'],
    ['<testcase name="a"><properties><property name="failure"/></properties></testcase>', 'passed'],
  ])('gives for %s the outcome %s', async (testCase, outcome) => {
    expect(await caseOf(testCase)).toMatchObject({ outcome });
  });

  it('has one failed result for a test case with several failures', async () => {
    const several = `<testcase name="a"><failure message="one">1</failure><error type="Broken"/>
      <failure>three</failure></testcase>`;
    expect(await caseOf(several)).toMatchObject({ failure: { message: 'one\nBroken', text: '1\n\nthree' } });
  });

  it('has a failed result for each failed attempt of a flaky test, and then a passed result', async () => {
    const flaky = await read(`<testsuite><testcase name="a" time="1"><flakyFailure message="first" time="0.5">
      <stackTrace>at 1</stackTrace><system-out>noise</system-out></flakyFailure><flakyError message="second"/>
      </testcase></testsuite>`);
    expect(namesAndOutcomes(flaky)).toEqual(['a failed: first', 'a failed: second', 'a passed']);
    expect(flaky.results.map(({ durationMs }) => durationMs)).toEqual([500, null, 1_000]);
    expect(flaky.results[0]?.failure?.text).toBe('at 1');
    expect(flaky.counts).toMatchObject({ tests: 1, passed: 1, flaky: 1, results: 3 });
  });

  it('has a failed result for each rerun of a failed test', async () => {
    const rerun = await read(`<testsuite><testcase name="a"><failure message="first"/><rerunFailure message="second"/>
      <rerunError message="third"/></testcase></testsuite>`);
    expect(namesAndOutcomes(rerun)).toEqual(['a failed: first', 'a failed: second', 'a failed: third']);
    expect(rerun.counts).toMatchObject({ tests: 1, failures: 1, rerun: 1, results: 3 });
  });

  it('has separate results for test cases of the same name, in the order of the file', async () => {
    const twice = '<testcase name="a"><failure message="no"/></testcase><testcase name="a"/>';
    expect(namesAndOutcomes(await read(`<testsuite>${twice}</testsuite>`))).toEqual(['a failed: no', 'a passed']);
  });

  it('names a failure outside test cases after its suite', async () => {
    const { results, counts } = await read(
      '<testsuites><testsuite name="a"><testsuite name="b" file="b.py"><error message="no module">s</error></testsuite></testsuite></testsuites>',
    );
    expect(results).toMatchObject([
      { name: 'b', parent: 'a', classname: '', file: 'b.py', outcome: 'failed', failure: { message: 'no module' } },
    ]);
    expect(counts).toMatchObject({ tests: 0, failures: 0, results: 1 });
  });

  it('may have an XML namespace with a prefix', async () => {
    const { results } = await read(
      '<j:testsuite xmlns:j="urn:j" name="s"><j:testcase name="a"><j:failure message="m"/></j:testcase></j:testsuite>',
    );
    expect(results).toMatchObject([{ name: 'a', parent: 's', failure: { message: 'm' } }]);
  });

  it.each([
    ['a line feed', '\n'],
    ['a carriage return and a line feed', '\r\n'],
    ['a carriage return', '\r'],
  ])('counts lines that end with %s', async (_, end) => {
    const { results } = await read(
      ['<testsuite>', '<testcase', 'name="a"/>', '', '<testcase/>', '</testsuite>'].join(end),
    );
    expect(results.map(({ line }) => line)).toEqual([2, 5]);
  });
});

describe('The encoding of a report', () => {
  const document = (declared: string): string =>
    `<?xml version="1.0"${declared}?><testsuite><testcase name="zählt für 5 €"/></testsuite>`;
  const latin = (text: string, euro: number): Buffer =>
    Buffer.from([...text].map((character) => (character === '€' ? euro : character.charCodeAt(0))));
  const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

  it.each([
    ['UTF-8', Buffer.from(document(''))],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${document(' encoding="UTF-8"')}`)],
    ['UTF-16 little-endian', Buffer.from(`\ufeff${document(' encoding="UTF-16"')}`, 'utf16le')],
    ['UTF-16 big-endian', bigEndian(`\ufeff${document('')}`)],
    ['UTF-16 without a mark', Buffer.from(document(' encoding="UTF-16"'), 'utf16le')],
    ['UTF-8 that says it is UTF-16', Buffer.from(document(' encoding="utf-16"'))],
    ['windows-1252', latin(document(' encoding="windows-1252"'), 0x80)],
    ['ISO-8859-15', latin(document(" encoding='ISO-8859-15'"), 0xa4)],
  ])('may be %s', async (_, bytes) => {
    expect((await read(bytes)).results).toMatchObject([{ name: 'zählt für 5 €' }]);
  });

  it('is refused when it is unknown', async () => {
    expect(await refusalOf(document(' encoding="x-klingon"'))).toMatchObject({ line: 1, reason: /x-klingon/ });
  });

  it('may be partly invalid: invalid bytes are replaced', async () => {
    const bytes = Buffer.concat([
      Buffer.from('<testsuite><testcase name="a'),
      Buffer.from([0xff]),
      Buffer.from('"/></testsuite>'),
    ]);
    expect((await read(bytes)).results).toMatchObject([{ name: 'a\ufffd' }]);
  });
});

describe('characters that XML forbids', () => {
  it('are replaced, both as characters and as references', async () => {
    const escapes =
      '<testcase name="a\u001b[31m &#27;[0m&#x1B;&#0;&#xD800;&#65536;&#10;b"><failure>\u0000\u0008 &#8; &#x41;</failure></testcase>';
    expect(await caseOf(escapes)).toMatchObject({
      name: 'a\ufffd[31m \ufffd[0m\ufffd\ufffd\ufffd\u{10000}\nb',
      failure: { text: '\ufffd\ufffd \ufffd A' },
    });
  });

  it('are not replaced in CDATA, where a reference is plain text', async () => {
    const quoted = `<testcase name="a"><failure><![CDATA[it's > &#27; &amp; & <b>]]></failure><!-- it's > &#27; & --></testcase>`;
    expect(await caseOf(quoted)).toMatchObject({ failure: { text: "it's > &#27; &amp; & <b>" } });
  });
});

describe('a text that is too long', () => {
  let reader: ReaderOfEndlessReports;
  beforeAll(() => (reader = new ReaderOfEndlessReports()));
  afterAll(() => reader.end());
  const long = (length: number): string => 'x'.repeat(length);

  it('is cut with a mark, and later lines keep their numbers', async () => {
    const message = `${long(MAX_ATTRIBUTE_CHARACTERS - 1)}&amp;\n${long(100_000)}\n\n<`.replace('<', '');
    const { results } = await read(
      `<testsuite><testcase name="a"><failure message="${message}">${long(100_000)}</failure></testcase>\n<testcase/></testsuite>`,
    );
    const [failed, next] = results;
    expect(failed?.failure?.message).toMatch(/^x+&… \(cut\)/);
    expect(failed?.failure?.message.length).toBeLessThan(MAX_ATTRIBUTE_CHARACTERS + 100);
    expect(failed?.failure?.text).toBe(`${long(MAX_FAILURE_TEXT_CHARACTERS)}… (cut)`);
    expect(next?.line).toBe(5);
  });

  it('is cut between two characters, and not within a character', async () => {
    const { name } = await caseOf(`<testcase name="a${'😀'.repeat(MAX_ATTRIBUTE_CHARACTERS)}"/>`);
    expect(Buffer.from(name).toString()).toBe(name);
  });

  it.each([
    ['CDATA', '<![CDATA[', ']]>', '] ]] & < \n'],
    ['text', '', '', '] &lt; \r\n'],
    ['a comment', '<!--', '-->', '- < & "\n'],
  ])('is cut only behind the part that is kept: %s', async (_, before, after, line) => {
    const lines = 40_000;
    const bytes = Buffer.from(
      `<testsuite><testcase name="a"><failure>first ${before}${line.repeat(lines)}${after}</failure></testcase>\n<testcase/></testsuite>`,
    );
    for (const size of [1_021, 65_536, bytes.length]) {
      const { results } = await readAll(inPieces(bytes, size));
      expect(results).toMatchObject([{ failure: { text: /^first/ } }, { line: lines + 2 }]);
      const said =
        before === '<!--' ? 'first' : `first ${line.replace('&lt;', '<').replace('\r\n', '\n').repeat(lines)}`;
      expect(results[0]?.failure?.text.slice(0, 60_000)).toBe(said.slice(0, 60_000));
    }
  });

  it.each([
    ['printed text', '<system-out><![CDATA[', 'what a test prints, <b> & all\n'],
    ['printed brackets', '<system-out><![CDATA[', ']'.repeat(32)],
    ['the rest of a failure behind its kept part', '<failure>', 'what a test says of itself\n'],
    ['the rest of a message behind its kept part', '<failure message="', 'what a test says of itself\n'],
    ['a comment', '<!--', 'what a person says of it\n'],
    ['an instruction', '<?a ', 'what a person says of it\n'],
    ['a name', '<a', 'b'.repeat(32)],
    ['a name of an attribute', '<a b', 'b'.repeat(32)],
    ['a name that ends', '</testcase', 'b'.repeat(32)],
    ['a name of an instruction', '<?a', 'b'.repeat(32)],
    ['a reference', '<failure>&', 'a'.repeat(32)],
    ['an element in another', '', '<testcase>'],
  ])('does not use more memory than its kept part: %s', async (_, before, line) => {
    const { refusal, heldBytes } = await reader.read({
      fileName: 'report.xml',
      before: `<testsuite><testcase name="a">${before}`,
      piece: line.repeat(2_048),
      bytes: 8_000_000,
    });
    expect(refusal).toBe(MalformedReport.name);
    expect(heldBytes / 1e6).toBeLessThan(2);
  });
});

describe('a file that may not be a JUnit report', () => {
  it.each([
    ['ends too early', '<testsuite>\n<testcase name="a">', 2],
    ['ends within a tag', '<testsuite>\n\n<testcase name="a', 3],
    ['ends within CDATA', '<testsuite>\n<system-out><![CDATA[ ]]', 2],
    ['has tags that do not match', '<testsuite>\n<testcase>\n</testsuite>', 3],
    ['has a < in a value', '<testsuite>\n<testcase time="<<computed>>"/></testsuite>', 2],
    ['has an attribute twice', '<testsuite>\n<testcase name="a" name="b"/></testsuite>', 2],
    ['has two roots', '<testsuite/>\n<testsuite/>', 2],
    ['has an unknown entity', '<testsuite>\n<testcase name="&nbsp;"/></testsuite>', 2],
    ['has an & that begins no reference', '<testsuite>\n<testcase name="a & b"/></testsuite>', 2],
    [
      'has an & that begins no reference, in text',
      '<testsuite>\n<testcase><failure>a && b</failure></testcase></testsuite>',
      2,
    ],
    ['has two hyphens in a comment', '<testsuite>\n<!-- a -- b --></testsuite>', 2],
    ['declares an entity', '<!DOCTYPE testsuite [\n<!ENTITY a "b">]>\n<testsuite/>', 2],
    ['declares an entity from elsewhere', '<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuite/>', 1],
    ['declares a parameter entity', '<!DOCTYPE t [<!ENTITY % a SYSTEM "http://a/b"> %a;]><testsuite/>', 1],
    ['names a declaration from elsewhere', '\n<!DOCTYPE testsuite SYSTEM "http://a.example/b.dtd">\n<testsuite/>', 2],
  ])('is refused with its line if it %s', async (_, document, line) => {
    const refusal = await refusalOf(document);
    expect(refusal).toMatchObject({ fileName: 'report.xml', line });
    expect(refusal.message).toMatch(new RegExp(`^report.xml, line ${line}, column \\d+: \\w`));
  });

  it.each([
    ['elements in elements', '<testsuite>'.repeat(MAX_DEPTH + 1)],
    ['attributes', `<testsuite ${Array.from({ length: MAX_ATTRIBUTES + 1 }, (_, at) => `a${at}=""`).join(' ')}/>`],
    ['characters in a tag', `<testsuite a${'b'.repeat(2 ** 21)}=""/>`],
    ['characters in a name', `<testsuite><a${'b'.repeat(2 ** 21)}/></testsuite>`],
    ['characters in the name of an instruction', `<?a${'b'.repeat(2 ** 21)}?><testsuite/>`],
    ['characters in tags that are open', `<testsuite name="${'x'.repeat(2 ** 15)}">`.repeat(33)],
    ['characters in a declaration', `<!DOCTYPE a [${' '.repeat(2 ** 17)}]><testsuite/>`],
  ])('is refused if it has too many %s', async (_, document) => {
    await expect(refusalOf(document)).resolves.toMatchObject({ reason: /more than \d+/ });
  });

  it('is read if it has many long tags in sequence', async () => {
    const testCase = `<testcase name="${'x'.repeat(2 ** 15)}"/>`;
    expect((await read(`<testsuite>${testCase.repeat(40)}</testsuite>`)).results).toHaveLength(40);
  });

  it('is refused with the line of an & that begins no reference, however far the next ; is', async () => {
    for (const after of [' b"/>\n\n<testcase name="c;', `\n${'x'.repeat(100_000)}\n;`, `${'x'.repeat(100)};`, ' b']) {
      const refusal = await refusalOf(`<testsuite>\n<testcase name="a &${after}"/></testsuite>`);
      expect(refusal).toMatchObject({ line: 2, reason: expect.stringMatching(/& that begins no reference/) as string });
    }
  });

  it('is refused with the column that an editor shows, even behind a text that was cut', async () => {
    const bytes = Buffer.from(`<testsuite><testcase><failure>${'x'.repeat(100_000)}</oops></testcase></testsuite>`);
    const refusals = [1_000, bytes.length].map((size) =>
      readAll(inPieces(bytes, size)).catch((error: unknown) => error),
    );
    const [inPart, whole] = (await Promise.all(refusals)) as MalformedReport[];
    expect(inPart?.column).toBe(whole?.column);
  });

  it('is read if it declares elements: the declarations have no effect', async () => {
    const { results } = await read(
      `<!DOCTYPE testsuite [ <!-- it's > --> <!ELEMENT testsuite (testcase)> ]>\n<testsuite><testcase name="a"/></testsuite>`,
    );
    expect(results).toMatchObject([{ name: 'a', line: 2 }]);
  });

  it('that does not exist gives the error of the file system', async () => {
    await expect(readAll(createReadStream(join(__dirname, 'no-such-file.xml')))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});
