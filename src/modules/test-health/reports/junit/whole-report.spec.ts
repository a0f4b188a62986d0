import { leastCpuMs } from '../../../../../test/support/least-cpu';
import { readReport } from '../read-report';
import type { ReportCounts, ReportedResult } from '../reported-result';
import { isOutsideMethod } from './java-stacks';

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

describe('the facts of a report beyond its tests', () => {
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
  ])('mark the failure of %s as outside tests', async (_what, report) => {
    const { results } = await read(report);
    expect(results).toMatchObject([{ outcome: 'failed', isOutsideTests: true }]);
  });

  it('do not mark a failure of a test, or a pass', async () => {
    const { results } = await read(
      `<testsuite name="a.test.js"><testcase classname="a.test.js" name="adds"><failure/><error/></testcase>
      <testcase classname="test" name="test"><failure/></testcase><testcase classname="a.test.js" name="a.test.js"/></testsuite>`,
    );
    expect(results.map(({ isOutsideTests }) => isOutsideTests)).toEqual([undefined, undefined, undefined]);
  });

  const failing = (name: string, classname: string, more = ''): string =>
    `<testcase name="${name}" classname="${classname}"${more}><failure message="no"/></testcase>`;

  it.each([
    [
      'jest-junit, which repeats names',
      `<testsuites name="jest tests"><testsuite name="undefined">${failing(' v1.2/cart', ' v1.2/cart')}`,
    ],
    ['Jest, of a path', `<testsuites name="jest tests"><testsuite name="s">${failing('/static/app.js', 's')}`],
    [
      'Mocha, without a suite',
      `<testsuites name="Mocha Tests"><testsuite name="Root Suite">${failing('a.b/c', 'a.b/c')}`,
    ],
    [
      'Mocha, of a hook',
      `<testsuites name="Mocha Tests"><testsuite name="s">${failing('tells &quot;before each&quot; hook', 'tells')}`,
    ],
    ['CTest', `<testsuite name="(empty)">${failing('Cart.Adds', 'Cart.Adds', ' status="fail"')}`],
    ['Vitest, with blanks', `<testsuites name="vitest tests"><testsuite name="a.b c">${failing('a.b c', 'a.b c')}`],
    [
      'any runner, of a hook',
      `<testsuites><testsuite name="s">${failing('runs the &quot;before each&quot; hook', 's')}`,
    ],
    ['any runner, of JUnit', `<testsuites><testsuite name="s">${failing('executionError', 'the cart')}`],
  ])('do not take the name of a test for a hook: %s', async (_what, begin) => {
    const report = `${begin}</testsuite>${begin.startsWith('<testsuites') ? '</testsuites>' : ''}`;
    const { results } = await read(report);
    expect(results.map(({ isOutsideTests, outcome }) => [isOutsideTests, outcome])).toEqual([[undefined, 'failed']]);
  });

  it('include the failure of a test that Firebase calls flaky, as a failed attempt before a pass', async () => {
    const { results, counts } = await read(
      '<testsuite><testcase name="a" flaky="true"><failure>no</failure></testcase><testcase name="b" flaky="false"><failure/></testcase></testsuite>',
    );
    expect(results.map(({ name, outcome, isAttempt }) => [name, outcome, isAttempt])).toEqual([
      ['a', 'failed', true],
      ['a', 'passed', undefined],
      ['b', 'failed', undefined],
    ]);
    expect(counts).toMatchObject({ flaky: 1, failures: 1, unmetTotals: [] });
  });

  it.each([
    ['its own method, in a lambda', 'adds()', 'at com.acme.CartTest.lambda$adds$0(CartTest.java:7)', false],
    ['a coroutine', 'adds()', 'at com.acme.CartTest$adds$1.invokeSuspend(CartTest.kt:7)', false],
    ['a hook', 'adds()', 'at com.acme.CartTest.up(CartTest.java:4)', true],
    ['a hook, in a module', 'adds()', 'at app//com.acme.CartTest.up(CartTest.java:4)', true],
    ['a hook of a class above it', 'adds()', 'at com.acme.Base.up(Base.java:4)', true],
    ['a test of a class above it', 'adds()', 'at com.acme.Base.adds(Base.java:4)', false],
    ['nothing of the project', 'adds()', 'at org.junit.Assert.fail(Assert.java:86)', false],
    [
      'nothing of the test in a cause',
      'adds()',
      'at a.B.up(B.java:4)\nCaused by: a.E: no\n\tat a.B.adds(B.java:9)',
      false,
    ],
    [
      'a hook behind the test',
      'adds()',
      'at a.B.adds(B.java:4)\n\tSuppressed: a.E: no\n\t\tat a.B.down(B.java:9)',
      true,
    ],
    [
      'a resource that the test closes, with a line of both stacks',
      'adds()',
      'at a.B.adds(B.java:4)\n\tat z.Z.run(Z.java:1)\n\tSuppressed: a.E: no\n\t\tat a.C.close(C.java:9)\n\t\t... 2 more',
      false,
    ],
    [
      'a hook behind the test, with a line of both stacks',
      'adds()',
      'at a.B.adds(B.java:4)\n\tat z.Z.run(Z.java:1)\n\tSuppressed: a.E: no\n\t\tat a.C.down(C.java:9)\n\t\t... 1 more',
      true,
    ],
    [
      'a hook behind the test, with a cause that has its lines in common with it',
      'adds()',
      'at a.B.adds(B.java:4)\n\tSuppressed: a.E: no\n\t\tat a.B.down(B.java:9)\n\tCaused by: a.E: no\n\t\tat a.C.get(C.java:9)\n\t\t... 1 more',
      true,
    ],
    [
      'a hook behind what the test closes',
      'adds()',
      'at a.B.adds(B.java:4)\n\tSuppressed: a.E: no\n\t\tat a.C.close(C.java:9)\n\t\t... 1 more\n\tSuppressed: a.E: no\n\t\tat a.B.down(B.java:9)\n\tCaused by: a.E: no\n\t\tat a.C.down(C.java:1)',
      true,
    ],
    ['a name to be shown', 'adds two', 'at com.acme.CartTest.up(CartTest.java:4)', false],
  ])('mark a failure as outside tests if its Java stack shows a hook: %s', async (_what, name, frame, isHook) => {
    const { results } = await read(
      `<testsuite name="com.acme.CartTest"><testcase name="${name}" classname="com.acme.CartTest"><failure>java.lang.Error: no
\t${frame}</failure></testcase></testsuite>`,
    );
    expect(results[0]?.isOutsideTests === true).toBe(isHook);
  });

  it('attack 17: are found in linear time in nested stack traces and in an endless line', () => {
    const nested = Array.from({ length: 900 }, (_, at) => {
      const blanks = '\t'.repeat(at % 30);
      return `${blanks}Suppressed: a.E: no\n${blanks}\tat a.C.m(C.java:1)\n${`${blanks}\t... 9999 more\n`.repeat(3)}`;
    });
    for (const text of [nested.join(''), `\tat ${'a.'.repeat(30_000)}`])
      expect(leastCpuMs(() => isOutsideMethod(text, 'adds()'), 1_000)).toBeLessThan(1_000);
  });

  it.each([
    [
      'setUp of unittest',
      'pytest',
      'self = 1\n\n    def setUp(self):\n&gt;       raise ValueError()\nE  ValueError',
      true,
    ],
    ['setUp in a short stack', 'pytest', 'test_a.py:20: in setUp\n    raise ValueError()\nE   ValueError', true],
    [
      'a test that calls setUp',
      'pytest',
      'def test_a(self):\n&gt;       self.setUp()\n\n    def setUp(self):\n&gt;     raise',
      false,
    ],
    ['setup of minitest', 'minitest', 'RuntimeError: no\n    a.rb:5:in `setup&apos;', true],
    ["setup in Ruby's newer words", 'minitest', 'RuntimeError: no\n    a.rb:5:in &apos;CartTest#setup&apos;', true],
    [
      'a test that calls setup',
      'minitest',
      'RuntimeError: no\n    a.rb:5:in `setup&apos;\n    a.rb:9:in `test_a&apos;',
      false,
    ],
  ])('mark a failure as outside tests if its outermost frame is a hook: %s', async (_what, runner, text, isHook) => {
    const assertions = runner === 'minitest' ? ' assertions="0"' : '';
    const { results } = await read(
      `<testsuite name="${runner}"><testcase name="test_a" classname="A"${assertions}><failure>${text}</failure></testcase></testsuite>`,
    );
    expect(results[0]?.isOutsideTests === true).toBe(isHook);
  });

  it.each([
    ['of a suite', '<testsuite name="s" failures="2" errors="1"><testcase name="a"><failure/></testcase></testsuite>'],
    [
      'of all suites',
      '<testsuites name="s" failures="3"><testsuite><testcase name="a"><failure/></testcase></testsuite></testsuites>',
    ],
  ])('include a total with more failures than the report has: %s', async (_what, report) => {
    expect((await read(report)).counts.unmetTotals).toEqual([
      { line: 1, message: '"s" states 3 failures and errors, but 1 are in it' },
    ]);
  });

  it('accept totals of runners that count suites, retries and several failures of one test differently', async () => {
    const { counts } = await read(
      `<testsuites tests="90" failures="2"><testsuite name="flaky" failures="1"><testcase name="a"><flakyFailure/></testcase></testsuite>
      <testsuite name="two of one" failures="1" errors="1"><testcase name="b"><failure/><error/></testcase></testsuite>
      <testsuite name="nested" failures="1"><testsuite failures="0"><testcase name="c"><failure/></testcase></testsuite></testsuite>
      <testsuite name="by attribute" failures="1" errors="-2"><testcase name="d" status="failed"/></testsuite></testsuites>`,
    );
    expect(counts.unmetTotals).toEqual([]);
  });
});
