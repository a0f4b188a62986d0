import { readFixture, readText, refusalOf, toldBy } from '../../../../../test/support/reports';
import { MAX_DEPTH } from '../limits';

const NODE = [
  'passed the cart > adds prices',
  'failed the cart > takes ten # percent off: 90 == 91',
  'skipped the cart > prints',
  'skipped the cart > posts',
  'skipped the cart > rounds',
  'passed the cart > with a voucher > is cheaper',
  'passed a shop > opens',
  'failed a shop > closes: the door is stuck',
  'passed a hook > works',
  'failed outside tests a hook: cannot tidy',
];

describe('A TAP report', () => {
  it.each([
    ['20', '/home/ci/shop/node/broken.test.mjs'],
    ['24', 't/node/broken.test.mjs'],
  ])('from node %s names tests by the subtests around them', async (version, broken) => {
    expect(toldBy(await readFixture(`node-test/node-${version}.tap`))).toEqual([
      `failed outside tests ${broken}: test failed`,
      ...NODE,
    ]);
  });

  it('from node has durations and stacks', async () => {
    const { results } = await readFixture('node-test/node-20.tap');
    expect(results[2]).toMatchObject({
      durationMs: 1.159,
      line: 37,
      failure: { text: /^duration_ms: [^]*stack: \|-/ },
    });
  });

  it('from node-tap has a result for each subtest with assertions, and no result for single assertions', async () => {
    const read = await readFixture('node-tap/node-tap.tap');
    expect(toldBy(read)).toEqual([
      'passed test/cart.test.js > adds prices',
      'failed test/cart.test.js > takes ten percent off: should be equal',
      'skipped test/cart.test.js > prints',
      'skipped test/cart.test.js > posts',
      'passed test/cart.test.js > a shop > opens',
      'failed test/cart.test.js > a shop > closes: the door',
    ]);
    expect(read.results[0]).toMatchObject({ file: 'test/cart.test.js', durationMs: 25.18 });
    expect(read.results[1]?.failure?.text).toMatch(/-91\n\s*\+90/);
  });

  it('from tape has a result for each comment with the name of a test', async () => {
    expect(toldBy(await readFixture('tape/tape.tap'))).toEqual([
      'passed adds prices',
      'failed takes ten percent off: should be strictly equal',
      'passed said by the test',
      'skipped posts',
      'failed throws: an error',
    ]);
  });

  it('from vitest has subtests in braces, or none', async () => {
    expect(toldBy(await readFixture('vitest-tap/nested.tap'))).toEqual([
      "failed outside tests broken.test.ts: Cannot find module './nothing' imported from '/home/ci/shop/vitest/broken.test.ts'",
      'passed cart.test.ts > the cart > adds prices',
      'failed cart.test.ts > the cart > takes ten percent off: expected 90 to be 91 // Object.is equality',
      'skipped cart.test.ts > the cart > prints',
      'skipped cart.test.ts > the cart > posts',
      'passed cart.test.ts > the cart > is flaky',
      'passed cart.test.ts > the cart > with a voucher > is cheaper',
    ]);
    expect((await readFixture('vitest-tap/flat.tap')).counts).toMatchObject({
      tests: 6,
      passed: 3,
      failures: 1,
      skipped: 2,
    });
  });

  it('from mocha has its plan at the end, and stacks without YAML marks', async () => {
    const read = await readFixture('mocha-tap/mocha.tap');
    expect(toldBy(read)).toEqual([
      'passed the cart adds prices',
      'failed the cart takes ten percent off: ',
      'skipped the cart prints',
      'skipped the cart posts',
    ]);
    expect(read.results[1]?.failure?.text).toMatch(/^90 == 91\nAssertionError/);
  });

  it('from bats has the reason of a failure in comments', async () => {
    const read = await readFixture('bats/bats.tap');
    expect(toldBy(read)).toEqual(['passed adds prices', 'failed takes ten percent off: ', 'skipped prints']);
    expect(read.results[1]?.failure?.text).toMatch(/^\(in test file test\/cart.bats, line 6\)/);
  });

  it.each([
    ['ok', 'passed #1'],
    ['ok 1', 'passed #1'],
    ['ok 1 - adds', 'passed adds'],
    ['ok 1 adds # not a directive', 'passed adds # not a directive'],
    ['not ok 1 - adds', 'failed adds: '],
    ['not ok 1 - adds # TODO later', 'skipped adds'],
    ['ok 1 - adds # todo', 'skipped adds'],
    ['ok 1 - adds # SKIP no printer', 'skipped adds'],
    ['ok 1 # skip', 'skipped #1'],
    ['ok 1 - adds \\# TODO', 'passed adds # TODO'],
    ['ok 1 - adds # time=1.5s', 'passed adds'],
  ])('gives the right result for the line %j', async (point, told) => {
    expect(toldBy(await readText(`1..1\n${point}\n`))).toEqual([told]);
  });

  it('has the failure of an outer test only if none of its inner tests failed', async () => {
    const subtest = (inside: string, point: string): string =>
      `# Subtest: shop\n${inside}\n    1..1\n${point} - shop\n1..1\n`;
    const failed = '    # Subtest: opens\n    not ok 1 - opens';
    const passed = '    # Subtest: opens\n    ok 1 - opens';
    expect(toldBy(await readText(subtest(failed, 'not ok 1')))).toEqual(['failed shop > opens: ']);
    expect(toldBy(await readText(subtest(passed, 'ok 1')))).toEqual(['passed shop > opens']);
    expect(toldBy(await readText(subtest(passed, 'not ok 1')))).toEqual([
      'passed shop > opens',
      'failed outside tests shop: ',
    ]);
  });

  it('may be mixed with output of npm and other programs, and needs no version line', async () => {
    const read = await readText(
      '\n> shop@1.0.0 test\n> tape test\n\nlistening\nok 1 - adds\n  listening\n1..1\n# pass 1\n',
    );
    expect(toldBy(read)).toEqual(['passed adds']);
  });

  it('may contain the output of several programs in sequence', async () => {
    const one = (name: string): string => `TAP version 13\nok 1 - ${name}\n1..1\n`;
    expect(toldBy(await readText(one('a') + one('b')))).toEqual(['passed a', 'passed b']);
    expect(toldBy(await readText('1..1\nok 1 - a\n1..1\nok 1 - b\n'))).toEqual(['passed a', 'passed b']);
  });

  it('has a failure outside tests for a run that bailed out, and for tests outside the plan', async () => {
    expect(toldBy(await readText('1..3\nok 1 - a\nBail out! no database\n'))).toEqual([
      'passed a',
      'failed outside tests Bail out!: no database',
    ]);
    expect(toldBy(await readText('1..1\nok 1 - a\nok 2 - b\n'))).toEqual([
      'passed a',
      'passed b',
      'failed outside tests test plan: the report plans 1 tests, and 2 ran',
    ]);
  });

  it('may have no tests', async () => {
    expect((await readText('TAP version 13\n1..0 # SKIP no tests here\n')).results).toEqual([]);
  });

  it.each([
    ['has no plan', 'TAP version 13\nok 1 - a\n', 2, /^the report ends without a plan such as 1..1: it was cut off$/],
    ['has fewer tests than planned', '1..3\nok 1 - a\n', 2, /^the report plans 3 tests and ends after 1$/],
    [
      'ends within a diagnostic',
      '1..1\nnot ok 1 - a\n  ---\n  message: b\n',
      4,
      /^the report ends within a diagnostic$/,
    ],
    ['ends within a subtest', '1..1\n# Subtest: a\n    ok 1 - b\n    1..1\n', 4, /^the report ends within a subtest$/],
    ['ends within braces', '1..1\nok 1 - a {\n    1..1\n    ok 1 - b\n', 4, /^the report ends within a subtest$/],
  ])('is refused when it %s', async (_what, text, line, reason) => {
    await expect(refusalOf(text)).resolves.toMatchObject({ line, reason: expect.stringMatching(reason) as string });
  });

  it('attack 9: is refused when subtests are nested endlessly', async () => {
    const lines = Array.from({ length: MAX_DEPTH + 5 }, (_, depth) => `${' '.repeat(4 * depth)}# Subtest: a\n`);
    await expect(refusalOf(lines.join(''))).resolves.toMatchObject({
      reason: 'subtests are nested more than 200 deep',
    });
  });

  it('has only the beginning of a very long line or diagnostic', async () => {
    const long = 'x'.repeat(100_000);
    const { results } = await readText(`1..1\nnot ok 1 - ${long}\n  ---\n  message: ${long}\n  ${long}\n  ...\n`);
    expect(results[0]?.name.length).toBeLessThan(40_000);
    expect(results[0]?.failure?.message.length).toBeLessThan(40_000);
    expect(results[0]?.failure?.text.length).toBeLessThan(70_000);
  });
});
