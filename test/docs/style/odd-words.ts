/**
 * Phrases that readers have to guess. `[a|b]` means one of several words, `[a|b]?` a word that may be absent, and
 * `run(s)` a word with an optional ending.
 */
interface OddWords {
  readonly write: string;
  readonly phrases: readonly string[];
  /** The phrase is not odd directly before one of these words. */
  readonly unlessBefore?: readonly string[];
  /** The phrase is not odd directly after one of these words. */
  readonly unlessAfter?: readonly string[];
}

const THINGS_WITH_COLOURS = 'dot mark line square border text button'.split(' ').flatMap((one) => [one, `${one}s`]);
const VERBS_MAY_FOLLOW = ['to', 'cannot', 'can', 'could', 'may', 'might', 'would', 'not'];

const ODD_WORDS: readonly OddWords[] = [
  {
    write: 'failed, passed',
    phrases: ['red', 'green'],
    unlessBefore: ['-', ...THINGS_WITH_COLOURS.map((one) => ` ${one}`), ' background'],
  },
  {
    write: 'failed, removed, cancelled',
    phrases: ['[sent|send|sends|sending] [it|them]? back', '[take|takes|taken|taking] [it|them|all]? out'],
  },
  { write: 'parallel mode', phrases: ['[in|of] lanes', 'lanes mode'] },
  { write: 'sequential', phrases: ['queue(s) in order'] },
  {
    write: 'bisection',
    phrases: ["[culprit|culprit's] [search|searches]", '[search|searches] for [the|a|its] culprit'],
  },
  {
    write: 'flow scheduling',
    phrases: ['[in|by|of|with|under|for] flow'],
    unlessBefore: [' scheduling', ' queue', ' queues', ' control', ' chart'],
  },
  {
    write: 'passed, awaiting a combined test',
    phrases: ['[pass|passes|passed] beside', '[ride|rides|riding] on', 'rider(s)'],
  },
  { write: 'assumed to pass', phrases: ['[believe|believes|believed] in', '[hope|hopes|hoped|hoping]'] },
  { write: 'suspect', phrases: ['[doubt|doubts|doubted|doubting]'], unlessAfter: ['no', 'without'] },
  { write: 'suspect', phrases: ['undoubted'] },
  { write: 'semantic conflict', phrases: ['misfit(s)', 'fit together'] },
  { write: 'inconclusive run', phrases: ['lost [test]? run(s)', 'run(s) [is|are|was|were] lost'] },
  { write: 'manually, automatically, alone', phrases: ['by hand', 'by itself', 'by themselves'] },
  {
    write: 'again, next to, wasted, in progress, fix',
    phrases: ['anew', 'beside', 'in vain', 'in hand', '[mend|mends|mended|mending]'],
  },
  { write: 'is notified', phrases: ['[is|are|was|were|be|been] told'], unlessBefore: [' apart', ' to ', ' otherwise'] },
  { write: 'receives, event, names', phrases: ['hear(s)', '[speak|speaks] of', 'news'] },
  {
    write: 'code host',
    phrases: ['forge(s)'],
    unlessAfter: VERBS_MAY_FOLLOW,
    unlessBefore: [' a ', ' an ', ' the ', ' another ', ' it'],
  },
  {
    write: 'mock of a host',
    phrases: ['double(s) [of|for] [a|the]? [GitHub|GitLab|Gitea|host|hosts]', 'the double(s)'],
  },
  { write: 'mock of a host', phrases: ["[GitHub|GitLab|Gitea|host|hosts|GitHub's|host's] double(s)"] },
  { write: 'bypassing the queue, backlog, recently', phrases: ['past the queue', 'arrears', 'lately'] },
  {
    write: 'the words of the API',
    phrases: ['Nobody waits', 'Ways in', 'Times without merges', 'A pass proves those ahead'],
  },
];

/**
 * Readers of the product read "merge". The code of the engine and of git says "land", and its tests and pages may say
 * "land", too.
 */
const LAND = patternOf({ write: 'merge', phrases: ['land(s)', '[landed|landing|landings]'], unlessBefore: [' page'] });
const PATTERNS = ODD_WORDS.map(patternOf);

export function hasOddWord(text: string, mayLand: boolean): boolean {
  return PATTERNS.some((pattern) => pattern.test(text)) || (!mayLand && LAND.test(text));
}

function patternOf({ phrases, unlessBefore = [], unlessAfter = [] }: OddWords): RegExp {
  const after = unlessAfter.length === 0 ? '' : `(?<!\\b(?:${unlessAfter.join('|')}) )`;
  const before = unlessBefore.map((one) => (/\w$/.test(one) ? `${one}\\b` : one));
  const end = before.length === 0 ? '' : `(?!${before.join('|')})`;
  return new RegExp(`${after}\\b(?:${phrases.map(phrasePattern).join('|')})\\b${end}`, 'i');
}

function phrasePattern(phrase: string): string {
  const words = phrase.match(/\[[^\]]+\]\??|\S+/g) ?? [];
  return words
    .map((word, index) => {
      const [, choices, optional] = /^\[(.+)\](\??)$/.exec(word) ?? [];
      const own = choices === undefined ? word.replace('(s)', 's?') : `(?:${choices})`;
      const isLast = index === words.length - 1;
      return optional ? `(?:${own} )?` : `${own}${isLast ? '' : ' '}`;
    })
    .join('');
}
