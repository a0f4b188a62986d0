import { commentOn } from '../../engine/messages/comment';
import { type CommandMistake, mistakeIn } from '../../engine/messages/command-answers';
import { EngineDay } from '../../../test/support/engine-day';
import { type CommentCommand, parseCommand } from './parse-command';
import { leastCpuMs } from '../../../test/support/least-cpu';

const parse = (comment: string): CommentCommand | null => parseCommand('sluice', comment);

function mistake(comment: string): CommandMistake | undefined {
  const command = parse(comment);
  return command?.type === 'mistake' ? command.mistake : undefined;
}

/** The answer to the comment; null if the comment has no mistake. */
function answer(comment: string): string | null {
  const made = mistake(comment);
  return made ? mistakeIn('sluice', made) : null;
}

describe('a command in a comment', () => {
  it.each<[string, CommentCommand]>([
    ['/sluice merge', { type: 'merge' }],
    ['/sluice cancel', { type: 'cancel' }],
    ['/Sluice MERGE', { type: 'merge' }],
    ['  /sluice   merge  ', { type: 'merge' }],
    ['/sluice merge -p high', { type: 'merge', priority: 10 }],
    ['/sluice merge --priority URGENT', { type: 'merge', priority: 0 }],
    ['/sluice merge --priority=low', { type: 'merge', priority: 200 }],
    ['/sluice merge -p 7', { type: 'merge', priority: 7 }],
    ['/sluice merge -p 4294967295', { type: 'merge', priority: 4_294_967_295 }],
    ['/sluice merge --no-batch', { type: 'merge', noBatch: true }],
    ['/sluice merge --NO-BATCH -p 0', { type: 'merge', noBatch: true, priority: 0 }],
    ['Looks good!\r\n\r\n/sluice merge\r\nThank you', { type: 'merge' }],
    ['/sluice merge\n\n/sluice merge', { type: 'merge' }],
    ['```\ncode\n```\n/sluice merge', { type: 'merge' }],
    ['> /sluice cancel\n\n/sluice merge', { type: 'merge' }],
    ['It is a `typo`.\n/sluice merge', { type: 'merge' }],
    ['It is a lone ` mark.\n/sluice merge\n', { type: 'merge' }],
    ['Two paragraphs, a ` in each:\n\n/sluice merge\n\nand `.', { type: 'merge' }],
    ['- a ` in an item\n\n/sluice merge\n\n- and ` in another', { type: 'merge' }],
    ['Two of ``them\n/sluice merge\nare not closed by one `.', { type: 'merge' }],
    ['Escaped: \\`\n/sluice merge\n\\`', { type: 'merge' }],
    ['It says `<pre>`.\n/sluice merge', { type: 'merge' }],
    ['```\n<pre>\n```\n/sluice merge', { type: 'merge' }],
    ['<pre>\n/sluice cancel\n</pre>\n/sluice merge', { type: 'merge' }],
    ['<details>\n\n/sluice merge\n\n</details>', { type: 'merge' }],
    ['```of one line```\n/sluice merge', { type: 'merge' }],
    ['<preview>\n/sluice merge\n</preview>', { type: 'merge' }],
  ])('is found in %j', (comment, command) => expect(parse(comment)).toEqual(command));

  it.each([['Please /sluice merge'], ['/sluicegate merge'], ['sluice merge'], ['`/sluice merge`'], ['']])(
    'is not found in %j',
    (comment) => expect(parse(comment)).toBeNull(),
  );

  describe('attack 14: a command in code, in a quote, hidden or very long', () => {
    it.each([
      ['> /sluice merge'],
      ['   > /sluice merge'],
      ['    /sluice merge'],
      ['\t/sluice merge'],
      ['```\n/sluice merge\n```'],
      ['~~~sh\n/sluice merge\n~~~'],
      ['````\n```\n/sluice merge\n```\n````'],
      ['```\n/sluice merge'],
      ['<!-- \n/sluice merge\n-->'],
      ['- ```\n  /sluice merge\n  ```'],
      ['1. one\n2. ~~~\n   /sluice merge\n   ~~~'],
      ['<pre>\n/sluice merge\n</pre>'],
      ['<PRE lang="sh">\n\n/sluice merge\n\n</PRE>'],
      ['<pre><code>\n/sluice merge\n</code></pre>'],
      ['Run <code>\n/sluice merge\n</code>'],
      ['<code>\n\n/sluice merge'],
      ['<kbd>\n/sluice merge\n</kbd>'],
      ['<blockquote>\n/sluice merge\n</blockquote>'],
      ['It is `a span\n/sluice merge\nof three lines`.'],
      ['It is ``a span with a `\n/sluice merge\n``.'],
      ['`\n/sluice merge\n`'],
      ['`one` and `two\n/sluice merge\n`'],
      ['`one`/sluice merge'],
      ['<pre>one</pre>/sluice merge'],
    ])('is not obeyed: %j', (comment) => expect(parse(comment)).toBeNull());

    it('gets a short answer, however long it is', () => {
      expect(answer(`/sluice ${'x'.repeat(65_000)}`)?.length).toBeLessThan(3_000);
      expect(answer(`/sluice merge ${'x'.repeat(65_000)}`)?.length).toBeLessThan(3_000);
    });

    it('is found at once, however long the comment is', () => {
      const long = 65_000;
      for (const piece of ['`', '<pre>', '<code>x', '\\`', '``a` ', '<!--', '<pre a', '- ', '~~~\n'])
        expect(leastCpuMs(() => parse(piece.repeat(long / piece.length)), 500)).toBeLessThan(500);
    });
  });

  it('is in no comment that the service itself writes', () => {
    const day = new EngineDay();
    day.submit(1);
    const history = { failedRun: null, failedTests: null, landedAs: null, details: null };
    const view = { brand: 'sluice', queue: day.queue, entry: day.entry(1), now: day.now, expectedEnd: null, ahead: 0 };
    const own = commentOn({ ...view, ...history });
    expect(own).toContain('/sluice cancel');
    expect(parse(own)).toBeNull();
    for (const wrong of ['/sluice', '/sluice merg', '/sluice merge -p', '/sluice merge\n/sluice cancel'])
      expect(parse(answer(wrong)!)).toBeNull();
  });

  it.each([
    ['/sluice merg', '`merg` is not a command. Did you mean `/sluice merge`?'],
    ['/sluice cancle', '`cancle` is not a command. Did you mean `/sluice cancel`?'],
    ['/sluice land', '`land` is not a command. The commands are `/sluice merge` and `/sluice cancel`.'],
    ['/sluice', 'The command is missing. The commands are `/sluice merge` and `/sluice cancel`.'],
    ['/sluice merge -p hihg', '`hihg` is not a priority. Did you mean `high`?'],
    [
      '/sluice merge -p soon',
      '`soon` is not a priority. A priority is `urgent` (0), `high` (10), `medium` (100), `low` (200) or any whole number; lower numbers are tested first.',
    ],
    [
      '/sluice merge -p',
      'The priority is missing. A priority is `urgent` (0), `high` (10), `medium` (100), `low` (200) or any whole number; lower numbers are tested first.',
    ],
    ['/sluice merge --nobatch', '`--nobatch` is not an option. Did you mean `--no-batch`?'],
    ['/sluice merge please', '`please` is not an option. The options are `--priority <name or number>`, `--no-batch`.'],
    ['/sluice cancel --no-batch', '`--no-batch` is not an option. `/sluice cancel` has no options.'],
    [
      '/sluice merge\n/sluice cancel',
      'Nothing was done: a comment may hold only one command. The commands are `/sluice merge` and `/sluice cancel`.',
    ],
  ])('that is malformed gets an answer with the likely command: %j', (comment, said) =>
    expect(answer(comment)).toBe(said),
  );

  it.each([['-1'], ['4294967296'], ['1.5'], ['0x10'], ['']])('accepts no priority %j', (priority) =>
    expect(mistake(`/sluice merge --priority=${priority}`)).toBeDefined(),
  );
});
