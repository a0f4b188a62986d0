import * as fc from 'fast-check';
import { normaliseMessage } from './normalise-message';

const summaryOf = (message: string, text = ''): string => normaliseMessage({ message, text });

describe('the line by which failures are grouped', () => {
  it.each([
    ['numbers', 'expected 3 but got 17.5', 'expected 41 but got 2'],
    ['durations', 'Timed out after 5000ms', 'Timed out after 1.5 s'],
    ['moments', 'no answer since 2026-01-31T12:30:00.123Z', 'no answer since 2025-11-02 01:02:03'],
    ['dates in words', 'at Sat Jan 31 12:30:00 UTC 2026 it broke', 'at Mon Feb 02 09:00:01 UTC 2026 it broke'],
    ['times of day', '[12:30:01] connection lost', '[09:00:59.120] connection lost'],
    ['uuids', 'no user 6f1c0a2e-8d0b-4c39-9f5a-2d7b1d7b9a10', 'no user 0b1d0f54-6f6e-4bd4-8a1a-7f0a53a1e7c2'],
    ['commits and other hex ids', 'unknown revision 1d187d8c', 'unknown revision edbecd3b804176'],
    ['addresses', 'segfault at 0x7ffee3b1', 'segfault at 0x0'],
    ['objects of Java', 'was <com.acme.Widget@1b6d3586>', 'was <com.acme.Widget@4554617c>'],
    ['lines of a file', 'src/a.ts:12:7 - not assignable', 'src/a.ts:99:1 - not assignable'],
    ['lines in words', 'boom (app.py, line 12)', 'boom (app.py, line 345)'],
    ['temporary folders', "ENOENT '/tmp/jest_rs/abc/x.json'", "ENOENT '/tmp/other-Qx1/y.json'"],
    ['temporary folders of macOS', 'no /private/var/folders/zz/T/a.sock', 'no /var/folders/qq/T/b.sock'],
    [
      'temporary folders of Windows',
      'lost C:\\Users\\ci\\AppData\\Local\\Temp\\a1\\out.txt',
      'lost D:\\Temp\\b2\\out.txt',
    ],
    ['workers and ports', 'worker gw3 on localhost:41233 died', 'worker gw11 on localhost:50001 died'],
    ['colours', '\u001b[31mexpected\u001b[39m a', '\ufffd[1;31mexpected\ufffd[0m a'],
    ['colours that the runner spelled out', "'\\x1B[31mred\\x1B[0m' == 'x'", "'red' == '\\u001b[1mx'"],
    ['blanks', '  expected\t\ta  ', 'expected a'],
  ])('is the same whatever the %s', (_, one, other) => {
    expect(summaryOf(one)).toBe(summaryOf(other));
  });

  it.each([
    ['expected a but got b', 'expected a but got c'],
    ['ECONNREFUSED 127.0.0.1:80', 'ETIMEDOUT 127.0.0.1:80'],
    ['TypeError: x is undefined', 'RangeError: x is undefined'],
  ])('tells %j from %j', (one, other) => {
    expect(summaryOf(one)).not.toBe(summaryOf(other));
  });

  it.each([
    ['the first line with words', '\n-----\nExpected: <false>\n  but: was <true>', '', 'Expected: <false>'],
    ['the text where there is no message', '', 'Error: boom\n    at a.ts:1:2', 'Error: boom'],
    [
      'the text where the message is true of any failure',
      'Test failed',
      'no such table: users',
      'no such table: users',
    ],
    ['the class of an assertion if there is nothing else', 'java.lang.AssertionError', '', 'java.lang.AssertionError'],
    [
      'the exception at the end of a Python stack',
      '',
      'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    raise ValueError("no")\nValueError: no 7\n',
      'ValueError: no <n>',
    ],
    [
      'the line behind the name of a PHPUnit test',
      '',
      'Acme\\FooTest::testBar with data set #1 (2)\nFailed asserting that 1 is 2.',
      'Failed asserting that <n> is <n>.',
    ],
    [
      'the line behind a source line',
      'error.cpp:12',
      'Expected equality of these values',
      'Expected equality of these values',
    ],
    [
      'a source line if there is nothing else',
      '',
      'at com.acme.FooTest.bar(FooTest.java:12)',
      'at com.acme.FooTest.bar(FooTest.java:<line>)',
    ],
    [
      'the line behind the heading of jest',
      '',
      '  ● Test suite failed to run\n\n    Cannot find module',
      'Cannot find module',
    ],
    ['empty if message and text are empty', ' \n ', '', ''],
  ])('is %s', (_, message, text, summary) => {
    expect(summaryOf(message, text)).toBe(summary);
  });

  const JEST = 'Error: expect(received).toBe(expected) // Object.is equality';

  it.each([
    [
      'values',
      `${JEST}\n\nExpected: "red"\nReceived: "blue"\n    at Object.<anonymous> (a.spec.ts:3:5)`,
      `${JEST} Expected: "red" Received: "blue"`,
    ],
    [
      'calls',
      'expect(jest.fn()).toHaveBeenCalledTimes(expected)\n\nExpected number of calls: 1\nReceived number of calls: 2',
      'expect(jest.fn()).toHaveBeenCalledTimes(expected) Expected number of calls: <n> Received number of calls: <n>',
    ],
    [
      'parts of objects',
      'expect(received).toEqual(expected) // deep equality\n\n- Expected  - 1\n+ Received  + 1\n\n  Object {\n-   "name": "a",\n+   "name": "b",\n  }',
      'expect(received).toEqual(expected) // deep equality - "name": "a", + "name": "b",',
    ],
    [
      'elements of a page',
      "Error: expect(locator).toBeVisible() failed\n\nLocator: getByText('Buy')\nExpected: visible\nTimeout: 5000ms",
      "Error: expect(locator).toBeVisible() failed Locator: getByText('Buy') Expected: visible",
    ],
  ])('has the compared values if the first line only says that the values differ: %s', (_what, text, summary) => {
    expect(summaryOf('', text)).toBe(summary);
    expect(summaryOf(text, text)).toBe(summary);
    expect(summaryOf(summary)).toBe(summary);
  });

  it('contains no secret', () => {
    expect(summaryOf('connect postgres://app:hunter2@db:5432/shop failed')).toBe(
      'connect postgres://app:<secret>@db:<n>/shop failed',
    );
  });

  it('is at most 300 characters long, without a lone surrogate', () => {
    const summary = summaryOf('a' + '😀'.repeat(400));
    expect(summary.length).toBeLessThanOrEqual(300);
    expect(Buffer.from(summary).toString()).toBe(summary);
    expect(summary).toMatch(/…$/);
  });

  it('stays the same when it is normalised again', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.uuid(),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.double().map(String),
      fc.constantFrom(
        '/tmp/',
        'C:\\Temp\\x',
        '@1234',
        '0x',
        'ms',
        '\\x1b[',
        ':12',
        '\ufffd[',
        'm',
        '\n',
        ' ',
        '<',
        'a.ts',
        'Error',
      ),
      fc.stringMatching(/^[0-9a-f]{1,70}$/),
    );
    const anything = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(anything, anything, (message, text) => {
        const summary = normaliseMessage({ message, text });
        expect(summary.length).toBeLessThanOrEqual(300);
        expect(summaryOf(summary)).toBe(summary);
      }),
      { numRuns: 500 },
    );
  });
});
