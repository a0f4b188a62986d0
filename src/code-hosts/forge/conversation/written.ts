import type { LabelEvent, WrittenComment } from '../../../domain/code-host.port';
import { numberAt, textAt, timeAt } from '../../reading';

/** The author of a comment or an action. `login`: null if the host does not say. */
interface Doer {
  readonly login: string | null;
  readonly isBot: boolean;
}

/** A comment under that pull request; null if a needed field is missing. */
export function writtenCommentIn(body: unknown, number: number, { login: author, isBot }: Doer): WrittenComment | null {
  const id = numberAt(body, 'id');
  const writtenAt = timeAt(body, 'created_at');
  if (id === null || Number.isNaN(number) || author === null || writtenAt === null) return null;
  return {
    ...{ number, author, writtenAt, isBot },
    id: String(id),
    body: textAt(body, 'body') ?? '',
    changedAt: timeAt(body, 'updated_at') ?? writtenAt,
  };
}

/** A label that was set or removed; null if a needed field is missing. */
export function labelEventOf(
  body: unknown,
  number: number | null,
  type: LabelEvent['type'],
  { login, isBot }: Doer,
): LabelEvent | null {
  const id = numberAt(body, 'id');
  const label = textAt(body, 'label', 'name');
  const at = timeAt(body, 'created_at');
  if (id === null || label === null || at === null || number === null) return null;
  // Events of a deleted account have the user "ghost".
  return { ...{ number, type, label, isBot, at }, id: String(id), actor: login ?? 'ghost' };
}
