import { readFixture, readText, toldBy } from '../../../../../test/support/reports';

describe('An xUnit.net report', () => {
  it('names tests by their class, and has a failure outside tests for an error in the clean-up', async () => {
    const read = await readFixture('xunit/tests.xml');
    expect(toldBy(read)).toEqual([
      'failed outside tests Shop.Tests.dll > Shop.CartTests: System.Exception : cannot tidy',
      'passed Shop.Tests.dll > Shop.CartTests > Adds_prices',
      'failed Shop.Tests.dll > Shop.CartTests > Knows_price(name: "pear"): Assert.Equal() Failure',
      'skipped Shop.Tests.dll > Shop.CartTests > the cart prints',
      'failed Shop.Tests.dll > Shop.CartTests > Hangs: ',
    ]);
    expect(read.counts).toMatchObject({ tests: 4, passed: 1, failures: 2, skipped: 1, unmetTotals: [] });
  });

  it('has durations in seconds, the file, and the time of the test or otherwise of its assembly', async () => {
    const [, adds, , prints] = (await readFixture('xunit/tests.xml')).results;
    expect(adds).toMatchObject({ durationMs: 12.5, file: '', reportedAt: new Date('2026-11-22T12:00:00Z') });
    expect(prints).toMatchObject({
      file: '/home/ci/shop/CartTests.cs',
      reportedAt: new Date('2026-11-22T12:00:01.500Z'),
    });
  });

  it('may be of one assembly, and without a time zone; a warning names failures only in the total', async () => {
    const test = '<collection><test name="a" type="A" result="Fail"/></collection>';
    const read = await readText(
      `<assembly name="c:\\a\\shop.dll" run-date="2026-01-31" run-time="12:00:01" failed="1" errors="1">${test}</assembly>`,
    );
    expect(read.results).toMatchObject([{ parent: 'shop.dll', reportedAt: new Date('2026-01-31T12:00:01Z') }]);
    expect(read.counts.unmetTotals).toEqual([{ line: 1, message: 'shop.dll states 2 failures, but 1 are in it' }]);
  });
});
