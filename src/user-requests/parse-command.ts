import type { CommandMistake } from '../engine/messages/command-answers';
import { PRIORITIES } from '../engine/vocabulary';
import { HIGHEST_PRIORITY } from '../shared/priority';
import { nearest } from './nearest';
import { visibleLines } from './visible-lines';

interface MergeCommand {
  readonly type: 'merge';
  /** Absent: the entry keeps its priority; a new entry gets the default. */
  readonly priority?: number;
  readonly noBatch?: true;
}

export type CommentCommand =
  MergeCommand | { readonly type: 'cancel' } | { readonly type: 'mistake'; readonly mistake: CommandMistake };

const OPTIONS = ['-p', '--priority', '--no-batch'] as const;
const NAMES = new Map<string, number>(Object.entries(PRIORITIES));

/** The command in a comment: a line that begins with `/<brand>`. Null when there is none. */
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
