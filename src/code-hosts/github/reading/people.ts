import type { LabelEvent, WrittenComment } from '../../../domain/code-host.port';
import { labelEventOf, writtenCommentIn } from '../../forge/conversation/written';
import { numberAt, textAt } from '../../reading';

/** A comment under a pull request; null for a comment under an issue, or if a needed field is missing. */
export function commentIn(body: unknown): WrittenComment | null {
  const number = Number(/\/pull\/(\d+)#/.exec(textAt(body, 'html_url') ?? '')?.[1]);
  return writtenCommentIn(body, number, { login: textAt(body, 'user', 'login'), isBot: isBot(body, 'user') });
}

/**
 * A label event from the list of a repository, or from the list of one issue, whose `number` is passed in; null for all
 * other events.
 */
export function labelEventIn(body: unknown, number = numberAt(body, 'issue', 'number')): LabelEvent | null {
  const event = textAt(body, 'event');
  if (event !== 'labeled' && event !== 'unlabeled') return null;
  const actor = { login: textAt(body, 'actor', 'login'), isBot: isBot(body, 'actor') };
  return labelEventOf(body, number, event === 'labeled' ? 'set' : 'removed', actor);
}

export function isBot(body: unknown, ...who: readonly string[]): boolean {
  return textAt(body, ...who, 'type') === 'Bot';
}
