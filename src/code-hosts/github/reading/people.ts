import type { LabelEvent, WrittenComment } from '../../../domain/code-host.port';
import { numberAt, textAt, timeAt } from '../../reading';

/** A comment under a pull request; null for one under an issue, or where something is missing. */
export function commentIn(body: unknown): WrittenComment | null {
  const id = numberAt(body, 'id');
  const number = Number(/\/pull\/(\d+)#/.exec(textAt(body, 'html_url') ?? '')?.[1]);
  const author = textAt(body, 'user', 'login');
  const writtenAt = timeAt(body, 'created_at');
  if (id === null || Number.isNaN(number) || author === null || writtenAt === null) return null;
  return {
    ...{ number, author, writtenAt },
    id: String(id),
    isBot: isBot(body, 'user'),
    body: textAt(body, 'body') ?? '',
    changedAt: timeAt(body, 'updated_at') ?? writtenAt,
  };
}

/** Of the list of a repository's events, or of one issue's, which does not repeat its `number`; null for all other events. */
export function labelEventIn(body: unknown, number = numberAt(body, 'issue', 'number')): LabelEvent | null {
  const event = textAt(body, 'event');
  const id = numberAt(body, 'id');
  const label = textAt(body, 'label', 'name');
  const at = timeAt(body, 'created_at');
  if (event !== 'labeled' && event !== 'unlabeled') return null;
  if (id === null || label === null || at === null || number === null) return null;
  return {
    ...{ number, label, at },
    id: String(id),
    type: event === 'labeled' ? 'set' : 'removed',
    // Whoever deletes their account is a ghost from then on.
    actor: textAt(body, 'actor', 'login') ?? 'ghost',
    isBot: isBot(body, 'actor'),
  };
}

export function isBot(body: unknown, ...who: readonly string[]): boolean {
  return textAt(body, ...who, 'type') === 'Bot';
}
