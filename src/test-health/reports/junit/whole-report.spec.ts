import { readReport } from '../read-report';
import type { ReportCounts, ReportedResult } from '../reported-result';

interface Read {
  readonly results: readonly ReportedResult[];
  readonly counts: ReportCounts;
}

async function read(report: string): Promise<Read> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(report));
  }
  const results: ReportedResult[] = [];
  const reading = readReport(bytes(), { fileName: 'a.xml' });
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return { results, counts: value };
    results.push(...value);
  }
}

describe('What a report tells of more than its tests', () => {
  it.each([
    ['a suite', '<testsuite name="s"><error message="cannot load"/></testsuite>'],
    [
      'a file that Vitest cannot load',
      '<testsuite name="a.test.js"><testcase classname="a.test.js" name="a.test.js"><failure/></testcase></testsuite>',
    ],
    [
      'a file that jest cannot load',
      '<testsuite name="a"><testcase classname="Test suite failed to run" name="a.test.js"><error/></testcase></testsuite>',
    ],
    [
      "a hook of jest's",
      '<testsuite><testcase classname=" x" name=" Test execution failure: could be caused by test hooks like \'afterAll\'."><failure/></testcase></testsuite>',
    ],
    [
      "a hook of Mocha's",
      '<testsuite><testcase classname="S" name="&quot;before all&quot; hook for &quot;lost&quot;"><failure/></testcase></testsuite>',
    ],
    [
      'a file that node:test cannot load',
      '<testsuites><testcase name="/work/b.test.mjs" classname="test"><failure/></testcase></testsuites>',
    ],
    [
      'a module that pytest cannot collect',
      '<testsuite name="pytest"><testcase classname="" name="test_b"><error message="collection failure"/></testcase></testsuite>',
    ],
    [
      'a class of JUnit',
      '<testsuite name="com.acme.A"><testcase classname="com.acme.A" name="initializationError"><error/></testcase></testsuite>',
    ],
    [
      'a class of Surefire',
      '<testsuite name="com.acme.A"><testcase classname="com.acme.A" name=""><error/></testcase></testsuite>',
    ],
    [
      'a package of Go',
      '<testsuite name="acme"><testcase classname="acme" name="[build failed]"><failure/></testcase></testsuite>',
    ],
  ])('marks the failure of %s as one outside tests', async (_what, report) => {
    const { results } = await read(report);
    expect(results).toMatchObject([{ outcome: 'failed', isOutsideTests: true }]);
  });

  it('marks no failure of a test, and nothing that passed', async () => {
    const { results } = await read(
      `<testsuite name="a.test.js"><testcase classname="a.test.js" name="adds"><failure/><error/></testcase>
      <testcase classname="test" name="test"><failure/></testcase><testcase classname="a.test.js" name="a.test.js"/></testsuite>`,
    );
    expect(results.map(({ isOutsideTests }) => isOutsideTests)).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['of a suite', '<testsuite name="s" failures="2" errors="1"><testcase name="a"><failure/></testcase></testsuite>'],
    [
      'of all suites',
      '<testsuites name="s" failures="3"><testsuite><testcase name="a"><failure/></testcase></testsuite></testsuites>',
    ],
  ])('says that the failures %s are fewer than it states', async (_what, report) => {
    expect((await read(report)).counts.unmetTotals).toEqual([
      { line: 1, message: '"s" states 3 failures and errors, and 1 are in it' },
    ]);
  });

  it('accepts totals of runners that count suites, retries and several failures of a test in their own ways', async () => {
    const { counts } = await read(
      `<testsuites tests="90" failures="2"><testsuite name="flaky" failures="1"><testcase name="a"><flakyFailure/></testcase></testsuite>
      <testsuite name="two of one" failures="1" errors="1"><testcase name="b"><failure/><error/></testcase></testsuite>
      <testsuite name="nested" failures="1"><testsuite failures="0"><testcase name="c"><failure/></testcase></testsuite></testsuite>
      <testsuite name="by attribute" failures="1" errors="-2"><testcase name="d" status="failed"/></testsuite></testsuites>`,
    );
    expect(counts.unmetTotals).toEqual([]);
  });
});
