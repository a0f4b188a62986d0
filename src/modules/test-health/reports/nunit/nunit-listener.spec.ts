import { readFixture, readText, toldBy } from '../../../../../test/support/reports';

describe('An NUnit 3 report', () => {
  it('names tests by suites and class, and has a result for a suite only if its own set-up failed', async () => {
    const read = await readFixture('nunit/tests.xml');
    expect(toldBy(read)).toEqual([
      'passed Shop.Tests.dll > Shop > CartTests > Shop.CartTests > Adds_prices',
      'failed Shop.Tests.dll > Shop > CartTests > Shop.CartTests > Takes_ten_percent_off: Expected: 91',
      'passed Shop.Tests.dll > Shop > CartTests > Knows_price > Shop.CartTests > Knows_price("apple")',
      'failed Shop.Tests.dll > Shop > CartTests > Knows_price > Shop.CartTests > Knows_price("pear"): Test exceeded Timeout value 1ms.',
      'skipped Shop.Tests.dll > Shop > CartTests > Shop.CartTests > Prints',
      'skipped Shop.Tests.dll > Shop > CartTests > Shop.CartTests > Depends',
      'failed Shop.Tests.dll > Shop > StoreTests("north") > Shop.StoreTests > Opens: OneTimeSetUp: System.Exception : the door is stuck',
      'failed outside tests Shop.Tests.dll > Shop > Shop.StoreTests > StoreTests("north"): OneTimeSetUp: System.Exception : the door is stuck',
    ]);
    expect(read.counts).toMatchObject({ tests: 7, passed: 2, failures: 3, skipped: 2, unmetTotals: [] });
  });

  it('has durations in seconds, and times with their time zone', async () => {
    const [adds, takes] = (await readFixture('nunit/tests.xml')).results;
    expect(adds).toMatchObject({ durationMs: 12.5, reportedAt: new Date('2026-11-22T12:00:01Z'), line: 10 });
    expect(takes?.failure).toEqual({
      message: 'Expected: 91\n  But was:  90',
      text: 'at Shop.CartTests.Takes_ten_percent_off() in /home/ci/shop/CartTests.cs:line 27',
    });
  });

  it('gives a failure for an assembly that cannot be loaded, and a warning for failures only in the total', async () => {
    const assembly =
      '<test-suite type="Assembly" name="Shop.dll" result="Failed" label="Invalid"><failure><message>no such file</message></failure></test-suite>';
    const read = await readText(`<test-run result="Failed" failed="2">${assembly}</test-run>`);
    expect(toldBy(read)).toEqual(['failed outside tests Shop.dll: no such file']);
    expect(read.counts.unmetTotals).toEqual([{ line: 1, message: 'the test run states 2 failures, but 1 are in it' }]);
  });
});
