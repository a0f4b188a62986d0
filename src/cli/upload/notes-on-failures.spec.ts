import fc from 'fast-check';
import { knownInWords, nextCommand, testTitle } from './failure-words';
import { annotationsOf, issuesOf, failuresInMarkdown } from './notes-on-failures';
import { logLine } from './others-text';
import type { FailedTest, UploadAnswer } from './send-upload';
import { replyOf } from './upload-reply';

const NOW = new Date('2026-11-29T12:00:00.000Z');
const MIB = 1_048_576;
const ID = '5d0ed7a8-8a9c-5b8f-9d33-6b41c2c5a1f0';
const URL_OF_TEST = `https://sluice.example/ui/tests/${ID}`;
const TOLD = { nameOption: '--job x', repository: 'git.example/acme/shop', organization: 'acme', now: NOW };

type Known = NonNullable<FailedTest['known']>;

const known = (more: Partial<Known> = {}): Known => ({
  ...{ since: '2026-11-03T09:30:00.000Z', reason: 'failed and passed on commit 3f2a91c', codeowners: ['@web'] },
  ...{ html_url: URL_OF_TEST, earlier_runs: { days: 30, ran: 400, failed: 12 } },
  ...{ last_failure: { at: '2026-11-29T09:50:00.000Z', branch: 'main' }, message: '', stack: '' },
  ...more,
});
const failed = (more: Partial<FailedTest> = {}): FailedTest => ({
  ...{ test_case_id: ID, name: 'adds', classname: 'Cart', parent: '', file: 'cart.spec.ts', status: 'flaky' },
  ...{ quarantined: false, known: known() },
  ...more,
});
const answerOf = (...failures: readonly FailedTest[]): UploadAnswer => ({
  ...{ upload_id: 'u', status: 'stored', counted: true, branch_class: 'stable', tests_set_aside: 0 },
  ...{ results: { total: 9, passed: 9 - failures.length, failed: failures.length, skipped: 0 }, failures },
  ...{ failures_truncated: false, all_failures_quarantined: false, refused_files: [], refused_files_total: 0 },
  ...{ empty_files: [], missing_tests: [], missing_tests_total: 0, doubts: [] },
  shared_tests: { same_part: 0, other_parts: 0 },
});

describe('the log line about a failed test', () => {
  it.each([
    [
      'known flaky since 3 Nov (12 of 400 runs, last on main 2 h ago): failed and passed on commit 3f2a91c, owners @web, ' +
        URL_OF_TEST,
      failed(),
    ],
    [
      'known broken since 3 Nov 2025 (12 of 400 runs): failed on 3 commits in a row, ' + URL_OF_TEST,
      failed({
        status: 'broken',
        known: known({
          since: '2025-11-03T00:00:00Z',
          reason: 'failed on 3 commits in a row',
          codeowners: [],
          last_failure: null,
        }),
      }),
    ],
    [
      'quarantined since 3 Nov (12 of 400 runs, last in the queue 3 days ago): by hand, owners @web, ' + URL_OF_TEST,
      failed({
        ...{ status: 'healthy', quarantined: true },
        known: known({ reason: 'by hand', last_failure: { at: '2026-11-26T09:00:00Z', branch: '' } }),
      }),
    ],
  ])('%s', (words, test) => {
    expect(knownInWords(test, NOW)).toBe(words);
  });

  it.each([
    [398, 0, 'healthy: passed in 398 of 398 runs this week'],
    [398, 8, 'healthy: passed in 390 of 398 runs this week'],
    [3, 3, 'new: failed in all 3 runs before'],
    [1, 1, 'new: failed in the only run before'],
    [0, 0, 'new: it did not run in the 7 days before'],
  ])('gives the history of a test that ran %s times in a week and failed %s times: %s', (ran, failures, words) => {
    const earlier_runs = { days: 7, ran, failed: failures };
    const test = failed({ status: 'healthy', known: known({ earlier_runs }) });
    expect(knownInWords(test, NOW)).toBe(`${words}, owners @web, ${URL_OF_TEST}`);
  });

  it('links a known flaky test to the quarantine form, and any other test to its page', () => {
    const quarantine_url = `${URL_OF_TEST}?quarantine=always`;
    const of = (more: Partial<FailedTest>) => failed({ ...more, known: known({ quarantine_url }) });
    const wordsOf = (test: FailedTest) => knownInWords(test, NOW)?.split(', ').at(-1);
    expect(wordsOf(of({}))).toBe(quarantine_url);
    expect([of({ status: 'healthy' }), of({ quarantined: true })].map(wordsOf)).toEqual([URL_OF_TEST, URL_OF_TEST]);
    const summary = failuresInMarkdown(answerOf(of({ status: 'healthy' }), of({ quarantined: true })), NOW, MIB);
    expect(summary.match(/\[[^\]]+\]\([^)]+\)/g)).toEqual([
      `[Quarantine…](${quarantine_url})`,
      `[Its page](${URL_OF_TEST})`,
    ]);
  });

  it('is empty for an older service', () => {
    expect(knownInWords(failed({ known: undefined }), NOW)).toBeUndefined();
    expect(replyOf(answerOf(failed({ known: undefined })), {}, TOLD).lines).toContain('  Cart › adds (cart.spec.ts)');
  });

  it('follows the name of the test; one command below quarantines a known flaky test or shows a failed test', () => {
    const healthy = failed({ status: 'healthy', test_case_id: ID.replaceAll('5', '6') });
    const reply = replyOf(answerOf(healthy, failed()), {}, TOLD);
    expect(reply.lines.slice(1, 4)).toEqual([
      'Failed:',
      '  Cart › adds (cart.spec.ts)',
      expect.stringMatching(/^ {4}healthy: /),
    ]);
    expect(reply.next).toBe(
      `sluice tests quarantine git.example/acme/shop ${ID} always --org acme --reason "known to be flaky"`,
    );
    expect(nextCommand(answerOf(healthy), TOLD)).toBe(
      `sluice tests show git.example/acme/shop ${healthy.test_case_id} --org acme`,
    );
    expect(nextCommand(answerOf(failed({ quarantined: true })), TOLD)).toBeUndefined();
    expect(replyOf(answerOf(failed()), { exit: 0 }, TOLD).next).toBeUndefined();
  });
});

describe('the CI view of failed tests', () => {
  const said = known({
    message: 'expected 2\ngot 3\nmore',
    stack: 'expected 2\n  at cart.spec.ts:12\n  at b\n  at c\n  at d\n  at e\n  at f',
  });

  it('has a job summary with the log line, message and first stack lines of a test, and a quarantine link', () => {
    const summary = failuresInMarkdown(
      answerOf(failed({ known: said }), failed({ name: 'pays', quarantined: true })),
      NOW,
      MIB,
    );
    expect(summary.split('\n').slice(0, 14)).toEqual([
      '### 1 failed test, 1 quarantined',
      '',
      '- `Cart › adds (cart.spec.ts)`',
      `  \`known flaky since 3 Nov (12 of 400 runs, last on main 2 h ago): failed and passed on commit 3f2a91c, owners @web\` [Quarantine…](${URL_OF_TEST})`,
      ...[
        '  ```text',
        '  expected 2',
        '  got 3',
        '    at cart.spec.ts:12',
        '    at b',
        '    at c',
        '    at d',
        '    at e',
        '  ```',
      ],
      '- `Cart › pays (cart.spec.ts)` (quarantined)',
    ]);
  });

  it('has an annotation for each of the first ten counted tests and the first ten quarantined tests', () => {
    const many = [false, true].flatMap((quarantined) =>
      Array.from({ length: 12 }, (_, i) => failed({ name: `a, b: ${i}%`, quarantined })),
    );
    const lines = annotationsOf(answerOf(...many), NOW);
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      ...Array<string>(10).fill('::error'),
      ...Array<string>(10).fill('::notice'),
    ]);
    expect(lines[0]).toMatch(
      /^::error file=cart\.spec\.ts,title=Cart › a%2C b%3A 0%25 \(cart\.spec\.ts\)::known flaky since /,
    );
  });

  it('has a code quality issue for each test, with a stable fingerprint', () => {
    const [issue] = issuesOf(answerOf(failed({ known: said })), NOW);
    expect(issue).toMatchObject({
      description: expect.stringMatching(
        /^Cart › adds \(cart\.spec\.ts\): known flaky since 3 Nov .*: expected 2$/,
      ) as string,
      ...{ check_name: 'failed test', severity: 'major', location: { path: 'cart.spec.ts', lines: { begin: 1 } } },
    });
    expect(issuesOf(answerOf(failed({ status: 'broken', quarantined: true })), NOW)[0]).toMatchObject({
      ...{ fingerprint: issue!.fingerprint, severity: 'info' },
    });
  });

  it('leaves out tests above the size limit, and gives their number', () => {
    const many = Array.from({ length: 40 }, (_, i) => failed({ name: `test ${i}`, known: said }));
    const summary = failuresInMarkdown(answerOf(...many), NOW, 2_000);
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(2_000);
    expect(summary).toMatch(/… and 3\d more\n/);
    for (let room = 0; room < 400; room++)
      expect(Buffer.byteLength(failuresInMarkdown(answerOf(...many), NOW, room))).toBeLessThanOrEqual(room);
  });
});

/** Parts that have an effect in a log, Markdown, HTML or a terminal. */
const PARTS = [
  ...[
    '::error::',
    '::stop-commands::x',
    '##[error]',
    '##[group]',
    '##vso[task.complete]',
    '##teamcity[x]',
    ' ::',
    '\u00a0::warning::',
  ],
  ...[
    '\n',
    '\r\n',
    '\u2028',
    '\u0085',
    '\u001b[31m',
    '\u001b]1338;x\u0007',
    '\u009b',
    '\u0000',
    '\b',
    '\u202e',
    '\ud800',
  ],
  ...[
    '`',
    '``',
    '```',
    '~~~',
    '<img src=x onerror=y>',
    '<!-- ',
    '-->',
    '</details>',
    '[a](https://evil.example)',
    '![a](b)',
  ],
  ...[
    '@everyone',
    '#1',
    '|',
    '\\',
    '*',
    '_',
    '\n# h',
    '\n- a',
    '\n    ',
    '&lt;',
    '%0A::error::',
    '%',
    ',',
    ':',
    'a',
    ' ',
  ],
];
const SECRET = `ghp_${'a1'.repeat(18)}`;
const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ unit: 'binary' })), { maxLength: 12 })
  .map((parts) => parts.join(''));
const hostileTest = fc
  .record({
    name: hostileText,
    classname: hostileText,
    file: hostileText,
    message: hostileText,
    stack: hostileText,
    more: hostileText,
    quarantined: fc.boolean(),
  })
  .map(({ name, classname, file, message, stack, more, quarantined }) =>
    failed({
      ...{ name: `${name} ${SECRET}`, classname, file, quarantined },
      known: known({
        ...{
          message: `${message} token=${SECRET}`,
          stack: `${stack}\n${SECRET}`,
          reason: more,
          codeowners: [more],
          ...{ html_url: more, quarantine_url: more },
        },
        last_failure: { at: '2026-11-29T09:50:00.000Z', branch: more },
      }),
    }),
  );
/** All control characters except the end of a line. */
const CONTROLS = /(?!\n)\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Commands for the runners of GitHub, Gitea and Forgejo. */
const isCommand = (line: string): boolean => line.trimStart().startsWith('::') || /##(?:vso|teamcity)?\[/i.test(line);

/** Markdown outside code, which must be our text. A line with more backticks after the first ones begins no block. */
function outsideCode(markdown: string): string {
  const lines: string[] = [];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const [, run = ''] = /^ {2}(`{3,})[^`]*$/.exec(line) ?? [];
    if (fence === '' && run !== '') fence = run;
    else if (fence !== '' && line === `  ${fence}`) fence = '';
    else if (fence === '') lines.push(line.replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, ''));
  }
  return lines.join('\n');
}

/** The Markdown of a summary outside code. */
const OWN_MARKDOWN =
  /^(?:### \d+ failed tests?(?:, \d+ quarantined)?|- (?: \(quarantined\))?| {2}(?: \[(?:Quarantine…|Its page)\]\(https?:\/\/[^\s()<>"'`\\|[\]]+\))?|… and \d+ more|)$/;

describe('hostile names and messages', () => {
  const forAll = (holds: (answer: UploadAnswer) => void): void =>
    fc.assert(
      fc.property(fc.array(hostileTest, { minLength: 1, maxLength: 4 }), (tests) => holds(answerOf(...tests))),
      { numRuns: 300 },
    );

  it('attack 19: give the log of the job no command, no control and no secret', () => {
    forAll((answer) => {
      for (const line of replyOf(answer, {}, TOLD).lines) {
        expect([isCommand(line), CONTROLS.test(line), line.includes('\n'), line.includes(SECRET)]).toEqual([
          false,
          false,
          false,
          false,
        ]);
      }
    });
  });

  it('attack 19: give each annotation one line, which is one command, without a secret', () => {
    forAll((answer) => {
      for (const line of annotationsOf(answer, NOW)) {
        expect(line).toMatch(/^::(?:error|notice) (?:file=[^:,\n\r]*,)?title=[^:,\n\r]*::[^\n\r]*$/);
        expect([CONTROLS.test(line), line.includes(SECRET)]).toEqual([false, false]);
      }
    });
  });

  it('attack 19: give a summary no Markdown, HTML, control or secret', () => {
    forAll((answer) => {
      const summary = failuresInMarkdown(answer, NOW, MIB);
      expect([CONTROLS.test(summary), summary.includes(SECRET)]).toEqual([false, false]);
      for (const line of outsideCode(summary).split('\n')) expect(line).toMatch(OWN_MARKDOWN);
    });
  });

  it('attack 19: give a summary no Markdown and no byte above the limit of GitHub and Buildkite', () => {
    const rooms = fc.integer({ min: 0, max: 8_000 });
    fc.assert(
      fc.property(fc.array(hostileTest, { minLength: 1, maxLength: 6 }), rooms, (tests, room) => {
        const summary = failuresInMarkdown(answerOf(...tests), NOW, room);
        expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(room);
        for (const line of outsideCode(summary).split('\n')) expect(line).toMatch(OWN_MARKDOWN);
      }),
      { numRuns: 300 },
    );
  });

  it('attack 19: do not make annotations or code quality issues longer than code hosts accept', () => {
    const long = hostileText.map((text) => `${text}${'x\u{1f600}`<'.repeat(20_000)}`);
    fc.assert(
      fc.property(long, (text) => {
        const test = {
          name: text,
          classname: text,
          file: text,
          known: known({ message: text, stack: text, reason: text }),
        };
        const answer = answerOf(...Array.from({ length: 30 }, () => failed(test)));
        const lines = annotationsOf(answer, NOW);
        expect(lines).toHaveLength(10);
        expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(65_536);
        const issues = issuesOf(answer, NOW);
        expect(Math.max(...issues.map((issue) => JSON.stringify(issue).length))).toBeLessThan(20_000);
      }),
      { numRuns: 30 },
    );
  });

  it('attack 19: give code quality no markup, control or secret', () => {
    forAll((answer) => {
      for (const { description, location } of issuesOf(answer, NOW)) {
        for (const text of [description, location.path]) {
          expect([CONTROLS.test(text), /[<>&`]/.test(text), text.includes(SECRET), text === '']).toEqual([
            false,
            false,
            false,
            false,
          ]);
        }
      }
    });
  });

  it('attack 19: show no part of a secret where a name is cut', () => {
    for (let length = 250; length < 310; length++) {
      const name = `${'n'.repeat(length)} ${SECRET}`;
      const test = failed({
        name,
        classname: '',
        file: name,
        known: known({ reason: name, message: name, stack: name }),
      });
      const answer = answerOf(test);
      const issues = issuesOf(answer, NOW).flatMap(({ description, location }) => [description, location.path]);
      const all = [
        ...replyOf(answer, {}, TOLD).lines,
        ...annotationsOf(answer, NOW),
        failuresInMarkdown(answer, NOW, MIB),
      ];
      expect([...all, ...issues].filter((text) => text.includes('ghp_'))).toEqual([]);
    }
  });

  it('leave harmless text unchanged', () => {
    expect(logLine('  Vector::push › adds ## [1] (a::b.cc)')).toBe('  Vector::push › adds ## [1] (a::b.cc)');
    expect(testTitle(failed())).toBe('Cart › adds (cart.spec.ts)');
  });
});
