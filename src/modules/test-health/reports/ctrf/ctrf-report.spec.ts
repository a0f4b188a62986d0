import { readFixture, readText, refusalOf, toldBy } from '../../../../../test/support/reports';

const report = (...tests: readonly object[]): string =>
  JSON.stringify({ reportFormat: 'CTRF', specVersion: '1.0.0', results: { tool: { name: 'x' }, summary: {}, tests } });

describe('A CTRF report', () => {
  it('gives a result for each attempt of a retried test', async () => {
    const read = await readFixture('ctrf/attempts.json');
    expect(toldBy(read)).toEqual([
      'passed the shop > the cart > adds prices',
      'failed the shop > the till > pays: the bank does not answer',
      'passed the shop > the till > pays',
      'failed posts: no stamp',
      'failed posts: no stamp, again',
      'failed posts: no stamp at all',
      'skipped prints',
      'failed rounds: still rounding',
    ]);
    expect(read.counts).toMatchObject({ tests: 5, passed: 2, failures: 2, skipped: 1, flaky: 1, unmetTotals: [] });
    const attempts = read.results.filter(({ isAttempt }) => isAttempt);
    expect(attempts.map(({ durationMs }) => durationMs)).toEqual([5_100, 7_000, 7_500]);
  });

  it('has durations in milliseconds, and times in milliseconds since 1970', async () => {
    const { results } = await readFixture('ctrf/attempts.json');
    expect(results[0]).toMatchObject({
      file: 'test/cart.test.js',
      durationMs: 12.5,
      reportedAt: new Date(1_795_348_801_500),
      line: 10,
    });
    expect(results[1]).toMatchObject({ durationMs: 5_100, reportedAt: new Date(1_795_348_802_000) });
  });

  it('contains no character that the database cannot store', async () => {
    const { results } = await readFixture('ctrf/attempts.json');
    expect(results[5]?.failure?.text).toBe('at post (post.js:7:1)\ufffd\ufffd');
  });

  it('from jest shows that a flaky test failed before it passed', async () => {
    const read = await readFixture('jest-ctrf/ctrf-report.json');
    expect(toldBy(read)).toEqual([
      'passed cart.test.js > the cart > the cart adds prices',
      'failed cart.test.js > the cart > the cart takes ten percent off: Error: expect(received).toBe(expected) // Object.is equality',
      'skipped cart.test.js > the cart > the cart prints',
      'skipped cart.test.js > the cart > the cart posts',
      'failed cart.test.js > the cart > the cart is flaky: ',
      'passed cart.test.js > the cart > the cart is flaky',
    ]);
    expect(read.results[0]).toMatchObject({ file: '/home/ci/shop/jest/cart.test.js', durationMs: 7 });
  });

  it('from vitest is read', async () => {
    expect(toldBy(await readFixture('vitest-ctrf/report.json'))).toEqual([
      'passed adds prices',
      'failed takes ten percent off: expected 90 to be 91 // Object.is equality',
      'skipped prints',
      'skipped posts',
      'passed is flaky',
      'passed with a voucher',
    ]);
  });

  it('gives a warning if its summary counts failures that it does not contain', async () => {
    const text = report({ name: 'a', status: 'failed', duration: 1 }).replace('{},', '{"failed":2},');
    expect((await readText(text)).counts.unmetTotals).toEqual([
      { line: 1, message: 'the summary states 2 failures, but 1 are in it' },
    ]);
  });

  it.each([
    ['no name', report({ status: 'passed', duration: 1 }), /^a test has no name$/],
    ['no status', report({ name: 'a', duration: 1 }), /^a test has no status$/],
    [
      'a status of its own',
      report({ name: 'a', status: 'broken' }),
      /^the status "broken" of a test is not one of passed,/,
    ],
    ['a status that is no text', report({ name: 'a', status: 1 }), /^the status 1 of a test/],
  ])('is refused when a test has %s', async (_what, text, reason) => {
    await expect(refusalOf(text)).resolves.toMatchObject({ line: 1, reason: expect.stringMatching(reason) as string });
  });

  it.each([
    [
      'package.json',
      '{"name":"shop","version":"1.0.0","scripts":{},"a":1,"b":2}',
      'JSON with "name", "version", "scripts", "a", …',
    ],
    ['mochawesome', '{"stats":{},"results":[{"uuid":"1"}]}', 'JSON with "stats", "results"'],
    ['results without tests', '{"results":{"tests":{}}}', 'JSON with "results"'],
    ['a list', '[{"results":{"tests":[]}}]', 'this JSON'],
    ['an empty object', '{}', 'this JSON'],
  ])('is recognized by its keys: %s is refused, and the reason names its keys', async (_what, text, named) => {
    const { reason } = await refusalOf(text);
    expect(reason).toBe(
      `${named} is not a test report; JUnit, TRX, NUnit 3 and xUnit.net XML, CTRF, go test -json and TAP are`,
    );
  });
});
