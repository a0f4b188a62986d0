import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReaderOfEndlessReports } from '../../../../test/support/endless-report';
import { inPieces, readAll, type ReadReport } from '../../../../test/support/reports';
import { MalformedReport } from './malformed-report';

const FIXTURES = join(__dirname, '../../../../test/fixtures/reports');
const files = readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
  .map((entry) => join(entry.parentPath, entry.name));
const reports = files.map((path) => readFileSync(path));
/** Files with several go test packages or TAP streams: their beginning may be a complete report. */
const ofSeveral = /go-test\/(?:failures|newer-go)\.json$/;

/** The read report, or the refusal with its line. Any other error fails the test. */
async function endOf(bytes: Uint8Array, piece = 65_536): Promise<ReadReport | MalformedReport> {
  try {
    return await readAll(inPieces(bytes, piece));
  } catch (error) {
    if (error instanceof MalformedReport && error.line > 0 && error.reason !== '') return error;
    throw error;
  }
}

/** The column of a refusal may differ. */
function saidBy(end: ReadReport | MalformedReport): object {
  return end instanceof MalformedReport ? { line: end.line, reason: end.reason } : end;
}

const words = fc.constantFrom(
  '',
  'a',
  'a/b',
  ' > ',
  '\n',
  '"',
  '\\',
  '\u0000',
  '\u001b[31m',
  '😀',
  '\ud800',
  '#',
  '{',
  '<a>',
);

describe('A report of any format', () => {
  it.each(files.filter((path) => !ofSeveral.test(path)).map((path) => [path.slice(FIXTURES.length + 1), path]))(
    'that ends early is refused, or read up to its end: %s',
    async (_name, path) => {
      const text = readFileSync(path, 'utf8');
      const whole = await endOf(Buffer.from(text));
      const ends = [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
      const read: ReadReport[] = [];
      const tried = ends.filter((_, at) => at % Math.ceil(ends.length / 40) === 0);
      for (const end of tried) {
        const early = await endOf(Buffer.from(text.slice(0, end)));
        if (!(early instanceof MalformedReport)) read.push(early);
      }
      expect(read.length).toBeLessThan(tried.length);
      const all = { results: (whole as ReadReport).results };
      expect(read.map(({ results }) => ({ results }))).toEqual(read.map(() => all));
    },
  );

  it('that was damaged is read, or refused with a line, in the same way whole and in pieces', async () => {
    const damage = fc.tuple(fc.nat({ max: 100_000 }), fc.nat({ max: 6 }), words);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...reports),
        fc.array(damage, { minLength: 1, maxLength: 5 }),
        async (report, damages) => {
          const text = damages.reduce((before, [place, length, instead]) => {
            const at = place % (before.length + 1);
            return before.slice(0, at) + instead + before.slice(at + length);
          }, report.toString());
          const [whole, inParts] = [await endOf(Buffer.from(text)), await endOf(Buffer.from(text), 997)];
          if (whole instanceof MalformedReport) refused++;
          expect(saidBy(inParts)).toEqual(saidBy(whole));
        },
      ),
      { numRuns: 150 },
    );
    expect(refused).toBeGreaterThan(30);
  });

  const lineOfTap = fc
    .tuple(
      fc.nat({ max: 5 }),
      fc.constantFrom(
        ...[
          'ok',
          'not ok 1',
          '# Subtest: ',
          '1..2',
          '---',
          '...',
          '}',
          'ok 1 - a {',
          'TAP version 13',
          '# ',
          'Bail out! ',
          'x',
        ],
      ),
      words,
      fc.constantFrom('', ' # TODO', ' # SKIP', ' # time=1ms', ' # time=x'),
    )
    .map(([depth, line, word, directive]) => `${'  '.repeat(depth)}${line}${word}${directive}`);
  const eventOfGo = fc
    .record({
      Action: fc.constantFrom(
        'start',
        'run',
        'output',
        'pass',
        'fail',
        'skip',
        'bench',
        'build-output',
        'build-fail',
        'odd',
      ),
      Package: fc.constantFrom('', 'a', 'b', '__proto__'),
      Test: fc.constantFrom('', 'T', 'T/a', 'T/a/b', 'constructor'),
      Output: words,
      OutputType: fc.constantFrom('', 'frame', 'error'),
      Elapsed: fc.constantFrom(0, -1, 1e300, 'x', null),
      Time: fc.constantFrom('', '2026-11-22T12:00:00Z', 'x'),
    })
    .map((event) => JSON.stringify(event));
  const { element } = fc.letrec<{ element: string }>((tie) => ({
    element: fc
      .tuple(
        fc.constantFrom(
          ...[
            'Results',
            'InnerResults',
            'UnitTestResult',
            'UnitTest',
            'TestMethod',
            'RunInfo',
            'Text',
            'ErrorInfo',
            'Message',
            'Times',
          ],
          ...[
            'test-suite',
            'test-case',
            'failure',
            'message',
            'assembly',
            'collection',
            'test',
            'error',
            'errors',
            'ResultSummary',
          ],
        ),
        fc.constantFrom(
          '',
          ' result="Failed"',
          ' result="Fail"',
          ' outcome="Error"',
          ' site="SetUp"',
          ' name="a" testName="b" testId="1" id="1"',
        ),
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          fc.constant('text'),
          fc.array(tie('element'), { maxLength: 3 }),
        ),
      )
      .map(([name, attributes, inside]) => `<${name}${attributes}>${[inside].flat().join('')}</${name}>`),
  }));

  it.each([
    ['TAP', fc.array(lineOfTap, { maxLength: 30 }).map((lines) => `TAP version 14\n${lines.join('\n')}`)],
    [
      'go test',
      fc.array(eventOfGo, { maxLength: 30 }).map((lines) => `{"Action":"start","Package":"a"}\n${lines.join('\n')}`),
    ],
    [
      'CTRF',
      fc
        .json({ maxDepth: 4 })
        .map((json) => `{"results":{"tests":[{"name":"a","status":"other","suite":${json}}],"a":${json}}}`),
    ],
    ['TRX', element.map((inside) => `<TestRun>${inside}</TestRun>`)],
    ['NUnit 3', element.map((inside) => `<test-run failed="1">${inside}</test-run>`)],
    ['xUnit.net', element.map((inside) => `<assemblies>${inside}</assemblies>`)],
  ])('that mixes the parts of %s is read or refused with a line', async (_format, document) => {
    await fc.assert(
      fc.asyncProperty(document, async (text) => {
        const end = await endOf(Buffer.from(text));
        if (end instanceof MalformedReport) return;
        const texts = end.results.flatMap(({ name, parent, failure }) => [
          name,
          parent,
          failure?.message ?? '',
          failure?.text ?? '',
        ]);
        expect(texts.filter((kept) => kept.includes('\0') || /\p{Cs}/u.test(kept))).toEqual([]);
        expect(end.counts.results).toBe(end.results.length);
      }),
      { numRuns: 150 },
    );
  });
});

const event = (fields: object): string => `${JSON.stringify(fields)}\n`;

describe('attack 9: an endless report', () => {
  let reader: ReaderOfEndlessReports;
  beforeAll(() => (reader = new ReaderOfEndlessReports()));
  afterAll(() => reader.end());

  it.each<[what: string, before: string, piece: string, mib: number]>([
    ['a line of TAP', '1..2\nok 1 - ', 'x'.repeat(65_536), 2],
    ['a diagnostic of TAP', '1..1\nnot ok 1\n  ---\n', '  a line of it\n'.repeat(4_096), 2],
    [
      'assertions of TAP',
      '# Subtest: a\n',
      '    not ok 1 - b\n      ---\n      message: c\n      ...\n'.repeat(1_000),
      2,
    ],
    ['subtests of TAP', '', '# Subtest: a@\n    # Subtest: b\n    ok 1\nok 1\n'.repeat(1_000), 2],
    ['a line of go test', '{"Action":"start"}\n{"Action":"', 'x'.repeat(65_536), 4],
    ['packages of go test', '', event({ Action: 'run', Package: 'p@', Test: 'a' }).repeat(1_000), 12],
    [
      'output of a test of go',
      event({ Action: 'run', Test: 'a' }),
      event({ Action: 'output', Test: 'a', Output: 'x'.repeat(900) }).repeat(70),
      2,
    ],
    [
      'output of tests of go',
      '{"Action":"start"}\n',
      event({ Action: 'output', Test: 'a@', Output: 'x'.repeat(9_000) }).repeat(7),
      40,
    ],
    [
      'output of builds of go',
      '{"Action":"start"}\n',
      event({ Action: 'build-output', ImportPath: 'a@', Output: 'x'.repeat(9_000) }).repeat(7),
      40,
    ],
    ['a string of CTRF', '{"results":{"tests":[{"name":"', 'x'.repeat(65_536), 2],
    ['suites of CTRF', '{"results":{"tests":[{"suite":["a"', ',"a suite"'.repeat(8_000), 2],
    [
      'attempts of CTRF',
      '{"results":{"tests":[{"retryAttempts":[{}',
      ',{"status":"failed","message":"no"}'.repeat(2_000),
      2,
    ],
    ['keys of CTRF', '{"a":1', ',"key @":1'.repeat(4_000), 2],
    [
      'rows of TRX',
      '<TestRun><Results><UnitTestResult testId="1"><InnerResults>',
      '<UnitTestResult testName="@"/>'.repeat(500),
      40,
    ],
    ['errors of an NUnit suite', '<test-run><test-suite result="Failed"><failure><message>', 'x'.repeat(65_536), 2],
    ['output of an xUnit.net test', '<assembly><test result="Fail"><output>', 'x'.repeat(65_536), 2],
  ])('is cut or refused within bounded memory: %s', async (_what, before, piece, mib) => {
    const { refusal, emptyBatches, heldBytes } = await reader.read({ fileName: 'a', before, piece, bytes: 16_000_000 });
    expect({ refusal, emptyBatches }).toEqual({ refusal: MalformedReport.name, emptyBatches: 0 });
    expect(heldBytes / 2 ** 20).toBeLessThan(mib);
  });
});
