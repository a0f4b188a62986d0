import * as fc from 'fast-check';
import { MalformedReport } from '../malformed-report';
import { readReport } from '../read-report';
import type { ReportedResult } from '../reported-result';

interface Case {
  readonly is: 'case';
  readonly name: string;
  readonly classname: string;
  readonly file: string;
  readonly seconds: number | null;
  readonly end: 'passed' | 'failed' | 'errored' | 'skipped';
  readonly message: string;
  readonly text: string;
  readonly failedBefore: readonly string[];
  readonly printed: string;
}

interface Suite {
  readonly is: 'suite';
  readonly name: string;
  readonly file: string;
  readonly children: readonly (Case | Suite)[];
}

type Expected = Omit<ReportedResult, 'line' | 'reportedAt'>;

/** Any character that XML allows, including named and astral ones. */
const words = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replace(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, '')),
  fc.constantFrom('', ' > ', ']]>', '<!--', '&amp;', '"', "'", '<![CDATA[', '\n', '\t', 'ü😀'),
);

const { suite: anySuite } = fc.letrec<{ suite: Suite; child: Case | Suite }>((tie) => ({
  suite: fc.record({
    is: fc.constant('suite'),
    name: words,
    file: words,
    children: fc.array(tie('child'), { maxLength: 4 }),
  }),
  child: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      is: fc.constant('case' as const),
      name: words,
      classname: words,
      file: words,
      seconds: fc.option(fc.integer({ min: 0, max: 10_000 }).map((ms) => ms / 1_000)),
      end: fc.constantFrom('passed' as const, 'failed' as const, 'errored' as const, 'skipped' as const),
      message: words,
      text: words,
      failedBefore: fc.array(words, { maxLength: 2 }),
      printed: words,
    }),
    tie('suite'),
  ),
}));

const inValue = (text: string): string =>
  text.replace(/[&<"\t\n]/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll('>', '&gt;');
const inText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const inCdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

function render(node: Case | Suite): string {
  if (node.is === 'suite') {
    const children = node.children.map(render).join('\n  ');
    return `<testsuite name="${inValue(node.name)}" file='${inValue(node.file).replaceAll("'", '&apos;')}'>${children}</testsuite>`;
  }
  const { end, message, text } = node;
  const time = node.seconds === null ? '' : ` time="${node.seconds}"`;
  const problem = { passed: '', skipped: '<skipped/>', failed: 'failure', errored: 'error' }[end];
  const last =
    end === 'failed' || end === 'errored'
      ? `<${problem} message="${inValue(message)}">${inText(text)}</${problem}>`
      : problem;
  const before = node.failedBefore.map(
    (said) => `<flakyFailure message="${inValue(said)}">${inCdata(said)}</flakyFailure>`,
  );
  return (
    `<!-- ${node.is} --><testcase name="${inValue(node.name)}" classname="${inValue(node.classname)}" ` +
    `file="${inValue(node.file)}"${time}>${before.join('')}${last}<system-out>${inCdata(node.printed)}</system-out></testcase>`
  );
}

function expectedOf(node: Case | Suite, names: readonly string[], file: string): Expected[] {
  if (node.is === 'suite') {
    const inside = node.name === '' || node.name === names.at(-1) ? names : [...names, node.name];
    return node.children.flatMap((child) => expectedOf(child, inside, node.file || file));
  }
  const hasFailed = node.end === 'failed' || node.end === 'errored';
  const own: Expected = {
    name: node.name,
    classname: node.classname,
    parent: names.join(' > '),
    file: node.file || file,
    outcome: hasFailed ? 'failed' : node.end === 'skipped' ? 'skipped' : 'passed',
    durationMs: node.seconds === null ? null : Math.round(node.seconds * 1e3),
    failure: hasFailed ? { message: node.message, text: node.text.trim() } : null,
  };
  const before = node.failedBefore.map((said): Expected => {
    return {
      ...own,
      outcome: 'failed',
      durationMs: null,
      failure: { message: said, text: said.trim() },
      isAttempt: true,
    };
  });
  return [...before, own];
}

async function* cutAt(bytes: Uint8Array, places: readonly number[]): AsyncGenerator<Uint8Array> {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [at, cut] of cuts.slice(1).entries()) yield await Promise.resolve(bytes.subarray(cuts[at], cut));
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<ReportedResult[]> {
  const results: ReportedResult[] = [];
  for await (const completed of readReport(chunks, { fileName: 'any.xml' })) results.push(...completed);
  return results;
}

const places = fc.array(fc.nat({ max: 100_000 }), { maxLength: 12 });

describe('Any report', () => {
  it('is read exactly as it was written, wherever it is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(anySuite, places, fc.boolean(), async (suite, cuts, hasRoot) => {
        const body = render(suite);
        const document = `<?xml version="1.0"?>\n${hasRoot ? `<testsuites name="root">${body}</testsuites>` : body}\n`;
        const read = await readAll(cutAt(Buffer.from(document), cuts));
        const seen = read.map(({ line: _l, reportedAt: _at, isOutsideTests: _is, ...rest }) => rest);
        expect(seen).toEqual(expectedOf(suite, [], ''));
      }),
      { numRuns: 200 },
    );
  });

  it('that was damaged is refused, or read without test cases that the undamaged report lacks', async () => {
    const damage = fc.array(fc.tuple(fc.nat({ max: 100_000 }), fc.nat({ max: 6 }), words), {
      minLength: 1,
      maxLength: 4,
    });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(anySuite, damage, places, async (suite, damages, cuts) => {
        const document = damages.reduce((text, [place, length, instead]) => {
          const at = place % (text.length + 1);
          return text.slice(0, at) + instead + text.slice(at + length);
        }, render(suite));
        const yielded: ReportedResult[] = [];
        const reading = readReport(cutAt(Buffer.from(document), cuts), { fileName: 'any.xml' });
        const readToEnd = async (): Promise<void> => {
          for await (const completed of reading) yielded.push(...completed);
        };
        const refusal = await readToEnd().catch((error: unknown) => error);
        if (refusal !== undefined) refused++;
        expect(refusal === undefined || (refusal instanceof MalformedReport && refusal.line > 0)).toBe(true);
        const ends = document.match(/<\/testcase\s*>|\/>/g)?.length ?? 0;
        expect(
          yielded.filter(({ durationMs, outcome }) => outcome !== 'failed' || durationMs !== null).length,
        ).toBeLessThanOrEqual(ends);
      }),
      { numRuns: 200 },
    );
    expect(refused).toBeGreaterThan(50);
  });

  it('that ends early is refused', async () => {
    await fc.assert(
      fc.asyncProperty(anySuite, fc.nat({ max: 100_000 }), async (suite, place) => {
        const bytes = Buffer.from(render(suite));
        const early = bytes.subarray(0, place % bytes.length);
        await expect(readAll(cutAt(early, [7]))).rejects.toThrow(MalformedReport);
      }),
      { numRuns: 200 },
    );
  });

  it('may be any bytes: they are refused or read', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .array(
          fc.oneof(
            words,
            fc.constantFrom(
              '<testsuite',
              '<testcase ',
              '>',
              '/>',
              '</testcase>',
              '<![CDATA[',
              ']]>',
              '<!--',
              '-->',
              '<?',
              '?>',
              '<!DOCTYPE a [',
              ']>',
              '&#27;',
              '&',
              ';',
              'name="',
              "'",
              '"',
              '<failure>',
              '\ufeff',
              '\r',
            ),
          ),
          { maxLength: 40 },
        )
        .map((parts) => Buffer.from(parts.join(''))),
    );
    await fc.assert(
      fc.asyncProperty(bytes, places, async (garbage, cuts) => {
        const outcome = await readAll(cutAt(garbage, cuts)).catch((error: unknown) => error);
        expect(Array.isArray(outcome) || outcome instanceof MalformedReport).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
