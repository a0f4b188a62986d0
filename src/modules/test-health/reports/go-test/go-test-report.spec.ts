import { inPieces, readAll, readFixture, readText, refusalOf, toldBy } from '../../../../../test/support/reports';

type Event = Readonly<Record<string, string | number>>;

const events = (...list: readonly Event[]): string =>
  list.map((event) => `${JSON.stringify({ Package: 'shop', ...event })}\n`).join('');
const output = (Test: string, Output: string): Event => ({ Action: 'output', Test, Output });

describe('The events of go test -json', () => {
  it('become results when their package ends, except benchmarks; runs of -count become attempts of a test', async () => {
    const read = await readFixture('go-test/count-twice.json');
    const counts = { ...read, results: read.results.filter(({ isAttempt }) => !isAttempt) };
    expect(toldBy(counts)).toEqual([
      'passed example.com/shop/cart > TestSum',
      'failed example.com/shop/cart > TestDiscount: got 90, want 91',
      'passed example.com/shop/cart > TestPrices/apple',
      'failed example.com/shop/cart > TestPrices/pear: no price for "pear"',
      'passed example.com/shop/cart > TestRounding/up',
      'failed example.com/shop/cart > TestRounding: rounds half to even',
      'skipped example.com/shop/cart > TestPrinter',
      'failed example.com/shop/cart > TestFlaky: not yet',
      'passed example.com/shop/cart > ExampleSum',
    ]);
    const attempts = read.results.filter(({ isAttempt }) => isAttempt);
    expect(attempts.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      ...['TestSum passed', 'TestDiscount failed', 'TestPrices/apple passed', 'TestPrices/pear failed'],
      ...['TestRounding/up passed', 'TestRounding failed', 'TestPrinter skipped', 'TestFlaky passed'],
    ]);
  });

  it('show packages that did not build or that exited, and the test that panicked', async () => {
    expect(toldBy(await readFixture('go-test/failures.json'))).toEqual([
      'failed outside tests example.com/shop/broken: build failed',
      'passed example.com/shop/exits > TestPasses',
      'failed outside tests example.com/shop/exits: the package failed, but none of its tests did',
      'passed example.com/shop/panics > TestBefore',
      'failed example.com/shop/panics > TestPanics/inside: panic: assignment to entry in nil map [recovered]',
    ]);
  });

  it('show which test ran at the timeout', async () => {
    expect(toldBy(await readFixture('go-test/timeout.json'))).toEqual([
      'passed example.com/shop/slow > TestFast',
      'failed example.com/shop/slow > TestSlow/sleeps: panic: test timed out after 1s',
    ]);
  });

  it('of newer Go versions contain the output of a failed build, and mark error output', async () => {
    const read = await readFixture('go-test/newer-go.json');
    expect(toldBy(read)).toEqual([
      'failed outside tests example.com/shop/broken: undefined: undefinedHere',
      'failed example.com/shop/cart > TestPrices/pear: no price for "pear"',
    ]);
    expect(read.results[0]?.failure?.text).toMatch(/broken_test.go:6:2: undefined: undefinedHere$/);
    expect(read.results[1]).toMatchObject({
      durationMs: 250,
      reportedAt: new Date('2026-11-22T12:00:01.500Z'),
      failure: { message: 'no price for "pear"\nof today' },
      line: 12,
    });
  });

  it('of a test without an end count as passed in a passed package, and are left out in a failed package', async () => {
    const begun = [
      { Action: 'run', Test: 'TestA' },
      { Action: 'run', Test: 'TestB' },
    ];
    const passed = await readText(events(...begun, { Action: 'pass', Test: 'TestA' }, { Action: 'pass' }));
    expect(toldBy(passed)).toEqual(['passed shop > TestA', 'passed shop > TestB']);
    const failed = await readText(events(...begun, { Action: 'fail', Test: 'TestA' }, { Action: 'fail' }));
    expect(toldBy(failed)).toEqual(['failed shop > TestA: ']);
  });

  it('of one package do not affect the events of another package, even when both are mixed', async () => {
    const other = { Package: 'bakery', Action: 'run', Test: 'TestA' };
    const read = await readText(
      events(
        ...[{ Action: 'run', Test: 'TestA' }, other, output('TestA', '    a_test.go:1: cold\n')],
        ...[
          { ...other, Action: 'pass' },
          { Action: 'fail', Test: 'TestA' },
        ],
        ...[{ Action: 'fail' }, { Package: 'bakery', Action: 'pass' }],
      ),
    );
    expect(toldBy(read)).toEqual(['failed shop > TestA: cold', 'passed bakery > TestA']);
  });

  it.each([
    [
      'the error of testify',
      '    a_test.go:7: \n        \tError Trace:\t/a/a_test.go:7\n        \tError:      \tNot equal: \n',
      'Error:      \tNot equal:',
    ],
    ['the last message of a test', '    a_test.go:5: asked\n    a_test.go:6: no answer\n', 'no answer'],
    ['printed text without a source line', 'assertion failed\n', 'assertion failed'],
    [
      'the panic, even if the test logged lines before',
      '    a_test.go:5: asked\npanic: no answer\n\ngoroutine 7\n',
      'panic: no answer',
    ],
  ])('give as the message of a failure %s', async (_what, printed, message) => {
    const lines = printed.split(/(?<=\n)/).map((line) => output('TestA', line));
    const { results } = await readText(
      events({ Action: 'run', Test: 'TestA' }, ...lines, { Action: 'fail', Test: 'TestA' }, { Action: 'fail' }),
    );
    expect(results).toMatchObject([{ failure: { message } }]);
  });

  it('may be mixed with build messages and with JSON that a program printed', async () => {
    const passed = events({ Action: 'run', Test: 'TestA' }, { Action: 'pass', Test: 'TestA' }, { Action: 'pass' });
    const read = await readText(`go: downloading example.com/a v1.0.0\n# shop\n${passed}{"level":"info"}\nFAIL\n`);
    expect(toldBy(read)).toEqual(['passed shop > TestA']);
  });

  it.each([
    ['ends before a package does', events({ Action: 'start' }), 1, 'the report ends before the package shop does'],
    ['ends within a line', `${events({ Action: 'start' })}{"Action":"pa`, 2, 'a line is not a complete JSON object'],
    [
      'has a line that is too long',
      `${events({ Action: 'start' })}{"Action":"${'x'.repeat(2 ** 20)}"}`,
      2,
      'a line has more than 1048576 characters',
    ],
  ])('are refused as a report that %s', async (_what, text, line, reason) => {
    const read = readAll(inPieces(Buffer.from(text), 65_536));
    await expect(read).rejects.toMatchObject({ line, reason });
  });

  it("are not mistaken for another program's JSON log", async () => {
    await expect(refusalOf('{"Time":"2026-11-22","level":"info"}\n')).resolves.toMatchObject({
      reason: expect.stringMatching(/^JSON without an Action of go test is not a test report; /) as string,
    });
  });

  it('attack 9: are refused when too many tests begin without an end', async () => {
    async function* begun(): AsyncGenerator<Uint8Array> {
      for (let test = 0; test < 1_000_000; test += 500) {
        const runs = Array.from({ length: 500 }, (_, at) => ({ Action: 'run', Test: `Test${test + at}` }));
        yield await Promise.resolve(Buffer.from(events(...runs)));
      }
    }
    await expect(readAll(begun())).rejects.toMatchObject({
      reason: expect.stringMatching(/^the output of unfinished tests has more than/) as string,
    });
  });

  it('attack 9: of tests that print endlessly keep the beginning and the end of the output', async () => {
    const line = `${'x'.repeat(1_000)}\n`;
    async function* printed(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(events({ Action: 'run', Test: 'TestA' }, output('TestA', 'first\n')));
      for (let piece = 0; piece < 200; piece++) {
        yield await Promise.resolve(Buffer.from(events(...Array<Event>(100).fill(output('TestA', line)))));
      }
      yield Buffer.from(events(output('TestA', 'last\n'), { Action: 'fail', Test: 'TestA' }, { Action: 'fail' }));
    }
    const { results } = await readAll(printed());
    expect(results[0]?.failure?.text).toMatch(/^first\n[^]*last$/);
    expect(results[0]?.failure?.text.length).toBeLessThan(40_000);
  });
});
