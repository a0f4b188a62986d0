import type { CommandMistake } from '../../engine/messages/command-answers';
import { PRIORITIES } from '../../engine/vocabulary';
import { HIGHEST_PRIORITY } from '../../domain/priority';

interface MergeCommand {
  readonly type: 'merge';
  /** Absent: an entry in the queue keeps its priority, and a new entry gets the default. */
  readonly priority?: number;
  readonly noBatch?: true;
}

export type CommentCommand =
  MergeCommand | { readonly type: 'cancel' } | { readonly type: 'mistake'; readonly mistake: CommandMistake };

/** The line that begins or ends a fenced code block, also in a list item. */
const FENCE = /^(?: {0,3}(?:[-*+]|\d{1,9}[.)]) +)? {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const INDENTED_CODE = /^( {4}|\t)/;
const QUOTE = /^ {0,3}>/;
/** A line that begins a new paragraph without an empty line before it: a heading, or a list item. */
const PARAGRAPH = /^ {0,3}(#{1,6} |[-*+] |\d{1,9}[.)] )/;
/** An escaped character, the backticks around code, or the tag before code or a quote. */
const MARK = /\\[^]|`+|<(pre|code|samp|kbd|tt|blockquote|textarea)\b[^<>]*>/gi;
/** The replacement of a code span, so that the text behind the span does not move to the beginning of its line. */
const CODE = '`';
/** The maximum distance, in changed letters, of a word that is suggested. */
const FARTHEST = 2;
const OPTIONS = ['-p', '--priority', '--no-batch'] as const;
const NAMES = new Map<string, number>(Object.entries(PRIORITIES));

/** The command in a comment, which is a line that begins with `/<brand>`. Null if there is none. */
export function parseCommand(brand: string, comment: string): CommentCommand | null {
  const commands = visibleLines(comment)
    .map((line) => line.trim().split(/\s+/))
    .filter(([first]) => first?.toLowerCase() === `/${brand}`)
    .map(([, ...words]) => parseWords(words));
  const [first, ...others] = commands;
  if (first === undefined) return null;
  const isOne = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
  return isOne ? first : mistaken({ type: 'several_commands' });
}

/** The lines of a comment without code, quotes and HTML comments. */
function visibleLines(markdown: string): readonly string[] {
  return withoutCode(outsideOfBlocks(withoutHidden(markdown))).split('\n');
}

function withoutHidden(markdown: string): string {
  return markdown.replace(/<!--[\s\S]*?(-->|$)/g, '');
}

/**
 * The text outside of code blocks and quotes, with an empty line between paragraphs, because a code span ends with its
 * paragraph.
 */
function outsideOfBlocks(markdown: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark !== null && mark.startsWith(fence) && line.trim() === mark) fence = null;
    } else if (mark !== null) {
      fence = mark;
      lines.push('');
    } else if (INDENTED_CODE.test(line) || QUOTE.test(line)) lines.push('');
    else if (PARAGRAPH.test(line)) lines.push('', line);
    else lines.push(line);
  }
  return lines.join('\n');
}

/** Removes code spans, and text between HTML tags of code or quotes. */
function withoutCode(text: string): string {
  let visible = '';
  let read = 0;
  for (let mark = nextMark(text, 0); mark !== null; mark = nextMark(text, read)) {
    const begin = mark.index;
    const end = begin + mark[0].length;
    const close = endOfCode(text, mark[0], mark[1] ?? null, end);
    visible += close === null ? text.slice(read, end) : text.slice(read, begin) + CODE;
    read = close ?? end;
  }
  return visible + text.slice(read);
}

function nextMark(text: string, from: number): RegExpExecArray | null {
  MARK.lastIndex = from;
  return MARK.exec(text);
}

/** The position behind the code that begins with `mark`; null if no code begins there. */
function endOfCode(text: string, mark: string, tag: string | null, from: number): number | null {
  if (tag !== null) {
    // eslint-disable-next-line no-restricted-syntax -- A tag is one of `MARK`.
    const close = new RegExp(`</${tag}\\s*>`, 'gi');
    close.lastIndex = from;
    return close.exec(text) === null ? text.length : close.lastIndex;
  }
  if (!mark.startsWith('`')) return null;
  // The end has the same number of backticks and is in the same paragraph.
  // eslint-disable-next-line no-restricted-syntax -- The mark is a row of backticks.
  const close = new RegExp(`(?<!\`)${mark}(?!\`)|\\n[ \\t]*\\n`, 'g');
  close.lastIndex = from;
  return close.exec(text)?.[0] === mark ? close.lastIndex : null;
}

function parseWords([name = '', ...rest]: readonly string[]): CommentCommand {
  switch (name.toLowerCase()) {
    case 'merge':
      return parseMerge(rest);
    case 'cancel':
      return rest[0] === undefined ? { type: 'cancel' } : mistaken({ type: 'cancel_has_no_options', said: rest[0] });
    default:
      return mistaken({ type: 'unknown_command', said: name, nearest: nearest(name, ['merge', 'cancel']) });
  }
}

function parseMerge(words: readonly string[]): CommentCommand {
  let command: MergeCommand = { type: 'merge' };
  for (let at = 0; at < words.length; at++) {
    const [option = '', joined] = words[at]!.split(/=(.*)/s);
    switch (option.toLowerCase()) {
      case '-p':
      case '--priority': {
        const said = joined ?? words[++at];
        if (said === undefined || said === '') return mistaken({ type: 'missing_priority' });
        const priority = priorityOf(said);
        if (priority === null) return unknownPriority(said);
        command = { ...command, priority };
        break;
      }
      case '--no-batch':
        command = { ...command, noBatch: true };
        break;
      default:
        return mistaken({ type: 'unknown_option', said: words[at]!, nearest: nearest(words[at]!, OPTIONS) });
    }
  }
  return command;
}

function priorityOf(said: string): number | null {
  const named = NAMES.get(said.toLowerCase());
  if (named !== undefined) return named;
  return /^\d{1,10}$/.test(said) && Number(said) <= HIGHEST_PRIORITY ? Number(said) : null;
}

function unknownPriority(said: string): CommentCommand {
  return mistaken({ type: 'unknown_priority', said, nearest: nearest(said, [...NAMES.keys()]) });
}

function mistaken(mistake: CommandMistake): CommentCommand {
  return { type: 'mistake', mistake };
}

/** The word that is most similar to `said`; null if none is similar enough. */
function nearest(said: string, words: readonly string[]): string | null {
  const near = words
    .map((word) => ({ word, distance: distance(said.toLowerCase(), word) }))
    .filter((one) => one.distance <= FARTHEST && one.distance < one.word.length - 1)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.word ?? null;
}

/**
 * The number of letters to add, leave out, change or swap with a neighbour to turn `a` into `b` (Damerau-Levenshtein,
 * restricted).
 */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const changed = rows[i - 1]![j - 1]! + Number(!isSame);
      const swapped = isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(row[j - 1]! + 1, rows[i - 1]![j]! + 1, changed, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
