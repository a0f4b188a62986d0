import { inPieces, readAll, readText, refusalOf, toldBy } from '../../../../test/support/reports';

const KNOWN = 'is not a test report; JUnit, TRX, NUnit 3 and xUnit.net XML, CTRF, go test -json and TAP are';

describe('A report of any format', () => {
  it.each([
    ['JUnit', '<testsuites><testsuite name="shop"><testcase name="adds"/></testsuite></testsuites>'],
    [
      'JUnit behind a declaration and a comment',
      '<?xml version="1.0"?>\n<!-- <TestRun> -->\n<testsuite name="shop"><testcase name="adds"/></testsuite>',
    ],
    [
      'TRX',
      '<TestRun><TestDefinitions><UnitTest id="1" storage="shop"/></TestDefinitions><Results><UnitTestResult testId="1" testName="adds" outcome="Passed"/></Results></TestRun>',
    ],
    ['NUnit 3', '<test-run><test-suite name="shop"><test-case name="adds" result="Passed"/></test-suite></test-run>'],
    [
      'xUnit.net',
      '<assemblies><assembly name="shop"><collection><test name="adds" result="Pass"/></collection></assembly></assemblies>',
    ],
    ['xUnit.net of one assembly', '<assembly name="shop"><test name="adds" result="Pass"/></assembly>'],
    ['CTRF', '{"results":{"tests":[{"name":"adds","status":"passed","suite":["shop"]}]}}'],
    ['go test -json', '{"Action":"pass","Package":"shop","Test":"adds"}\n{"Action":"pass","Package":"shop"}\n'],
    ['TAP', 'TAP version 14\n# Subtest: shop\n    ok 1 - adds # time=1ms\n    1..1\nok 1 - shop\n1..1\n'],
  ])('is recognized by its content: %s', async (_format, report) => {
    expect(toldBy(await readText(report))).toEqual(['passed shop > adds']);
    expect(toldBy(await readText(`\ufeff${report}`))).toEqual(['passed shop > adds']);
    // The report has the encoding of redirected output in PowerShell.
    expect(toldBy(await readText(Buffer.from(`\ufeff${report}`, 'utf16le')))).toEqual(['passed shop > adds']);
  });

  it.each([
    ['coverage', '<?xml version="1.0"?>\n<coverage line-rate="1"/>', 2, `<coverage> ${KNOWN}`],
    ['results of TestNG', '<testng-results/>', 1, `<testng-results> ${KNOWN}`],
    ['a page', '<!DOCTYPE html>\n<html><body></body></html>', 2, `<html> ${KNOWN}`],
    [
      'the text of a runner',
      'PASS src/a.spec.ts\n  ✓ adds',
      1,
      `a file that begins with "PASS src/a.spec.ts" ${KNOWN}`,
    ],
  ])('is refused, and the reason names its kind, if it is %s', async (_what, text, line, reason) => {
    await expect(refusalOf(text)).resolves.toMatchObject({ line, reason });
  });

  it.each([
    ['empty', ''],
    ['blank', ' \n\n\t'],
  ])('is refused if it is %s', async (_what, text) => {
    await expect(refusalOf(text)).resolves.toMatchObject({ line: 1, reason: 'the file is empty' });
  });

  it('attack 9: is refused early if its first lines are no report, however long it is', async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      const piece = Buffer.from('a line of nothing in particular\n'.repeat(100));
      for (;;) {
        taken += piece.length;
        yield await Promise.resolve(piece);
      }
    }
    await expect(readAll(endless())).rejects.toMatchObject({
      reason: `a file that begins with "a line of nothing in particular" ${KNOWN}`,
    });
    expect(taken).toBeLessThan(300_000);
  });

  it('attack 9: has each line searched at most three times when it arrives byte by byte', async () => {
    const lines = 100;
    const head = Buffer.from(`${'a line of nothing\n'.repeat(lines)}1..1\nok 1 - adds\n`);
    const looks = jest.spyOn(RegExp.prototype, 'test');
    try {
      expect(toldBy(await readAll(inPieces(head, 1)))).toEqual(['passed adds']);
      // Each line is matched by two patterns, at most three times: when the text is complete, in the last look before
      // that, and in all earlier looks together.
      expect(looks.mock.calls.length).toBeLessThan(2 * 3 * lines + 100);
    } finally {
      looks.mockRestore();
    }
  });
});
