import { inPieces, readAll, readFixture, readText, toldBy } from '../../../../../test/support/reports';
import { MAX_WAITING_CHARACTERS } from '../limits';

const NAMESPACE = 'xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"';
const run = (inside: string): string => `<TestRun ${NAMESPACE}>${inside}</TestRun>`;

describe('A TRX report', () => {
  it('names tests by the class and the assembly that follow the results', async () => {
    const read = await readFixture('trx/tests.trx');
    expect(toldBy(read)).toEqual([
      'passed Shop.Tests.dll > Shop.Tests.CartTests > Adds_prices',
      'failed Shop.Tests.dll > Shop.Tests.CartTests > Takes_ten_percent_off: Assert.Equal() Failure',
      'skipped Shop.Tests.dll > Shop.Tests.PrinterTests > Prints',
      'passed Shop.Tests.dll > Shop.Tests.PriceTests > Knows_price (apple)',
      'failed Shop.Tests.dll > Shop.Tests.PriceTests > Knows_price (pear): no price for pear',
      'failed Hangs: ',
    ]);
    expect(read.counts).toMatchObject({ tests: 6, passed: 2, failures: 3, skipped: 1, unmetTotals: [] });
  });

  it('has durations of hours, minutes and seconds, and times in their own time zone or the zone of the run', async () => {
    const [adds, takes] = (await readFixture('trx/tests.trx')).results;
    expect(adds).toMatchObject({ durationMs: 12.5, reportedAt: new Date('2026-11-22T12:00:01.500Z'), line: 5 });
    expect(takes).toMatchObject({ durationMs: 62_500, reportedAt: new Date('2026-11-22T12:00:00Z') });
    expect(takes?.failure?.text).toBe(
      'at Shop.Tests.CartTests.Takes_ten_percent_off() in C:\\ci\\shop\\CartTests.cs:line 27',
    );
  });

  it('has a failure outside tests for an aborted run', async () => {
    expect(toldBy(await readFixture('trx/aborted.trx'))).toEqual([
      'passed Shop.Tests.dll > Shop.Tests.CartTests > Adds_prices',
      'failed outside tests test run: The active test run was aborted. Reason: Test host process crashed',
    ]);
  });

  it('has a failure outside tests for a run that failed without a reason', async () => {
    const summary = '<ResultSummary outcome="Failed"><Counters failed="0"/></ResultSummary>';
    const read = await readText(run(`<Results><UnitTestResult testName="a" outcome="Passed"/></Results>${summary}`));
    expect(toldBy(read)).toEqual([
      'passed a',
      'failed outside tests test run: the run ended as Failed, but no test failed',
    ]);
  });

  it('gives a warning if its summary counts failures that it does not contain', async () => {
    const summary = '<ResultSummary outcome="Failed"><Counters failed="2" timeout="1"/></ResultSummary>';
    const failed = '<Results><UnitTestResult testName="a" outcome="Failed"/></Results>';
    const { counts } = await readText(run(`\n${failed}\n${summary}`));
    expect(counts.unmetTotals).toEqual([{ line: 3, message: 'the test run states 3 failures, but 1 are in it' }]);
  });

  it('may have its definitions before the results, as in older versions', async () => {
    const definition = '<UnitTest id="1" storage="c:\\a\\shop.dll"><TestMethod className="Cart"/></UnitTest>';
    const result = '<UnitTestResult testId="1" testName="Cart.Adds" outcome="Passed"/>';
    const read = await readText(
      run(`<TestDefinitions>${definition}</TestDefinitions><Results>${result}${result}</Results>`),
    );
    expect(toldBy(read)).toEqual(['passed shop.dll > Cart > Adds', 'passed shop.dll > Cart > Adds']);
  });

  it.each([
    ['Passed', 'passed'],
    ['Warning', 'passed'],
    ['Failed', 'failed'],
    ['Error', 'failed'],
    ['Aborted', 'failed'],
    ['Timeout', 'failed'],
    ['NotExecuted', 'skipped'],
    ['Inconclusive', 'skipped'],
    ['Pending', 'skipped'],
  ])('gives for the outcome %s the result %s', async (outcome, expected) => {
    const { results } = await readText(run(`<Results><UnitTestResult testName="a" outcome="${outcome}"/></Results>`));
    expect(results).toMatchObject([{ outcome: expected }]);
  });

  it('gives for an unknown outcome a failure if there is an error, and otherwise a skipped test', async () => {
    const error = '<Output><ErrorInfo><Message>no</Message></ErrorInfo></Output>';
    const unknown = `<UnitTestResult testName="a" outcome="Odd">${error}</UnitTestResult><UnitTestResult testName="b"/>`;
    expect(toldBy(await readText(run(`<Results>${unknown}</Results>`)))).toEqual(['failed a: no', 'skipped b']);
  });

  it('attack 9: is refused when more results wait for their class than memory may hold', async () => {
    const name = 'x'.repeat(30_000);
    const results = Array.from(
      { length: Math.ceil(MAX_WAITING_CHARACTERS / 30_000) },
      (_, at) => `<UnitTestResult testId="${at}" testName="${name}" outcome="Passed"/>`,
    );
    const report = Buffer.from(run(`<Results>${results.join('')}</Results>`));
    await expect(readAll(inPieces(report, 65_536))).rejects.toMatchObject({
      reason: expect.stringMatching(/write one report for each project$/) as string,
    });
  });

  it('has only the beginning of later failures when all failures together exceed the memory limit', async () => {
    const text = 'y'.repeat(60_000);
    const failed = (at: number): string =>
      `<UnitTestResult testId="${at}" testName="t${at}" outcome="Failed"><Output><ErrorInfo><StackTrace>${text}</StackTrace></ErrorInfo></Output></UnitTestResult>`;
    const many = Array.from({ length: 300 }, (_, at) => failed(at)).join('');
    const { results } = await readAll(inPieces(Buffer.from(run(`<Results>${many}</Results>`)), 65_536));
    expect(results.map(({ failure }) => failure?.text.length)).toEqual([
      ...Array<number>(139).fill(60_000),
      ...Array<number>(161).fill(1_000),
    ]);
  });
});
