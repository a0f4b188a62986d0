import type { LabelEvent, WrittenComment } from '../../../domain/code-host.port';
import { numberAt, textAt, timeAt } from '../../reading';

/** The host's own program that runs workflows. */
const ACTIONS = ['gitea-actions', 'forgejo-actions'];

/** The host does not say who is a program, so people do, in the settings. */
export function isProgram(login: string, bots: readonly string[]): boolean {
  return [...ACTIONS, ...bots].includes(login.toLowerCase());
}

/** A comment under a pull request; null for one under an issue, or where something is missing. */
export function giteaCommentIn(body: unknown, bots: readonly string[]): WrittenComment | null {
  const id = numberAt(body, 'id');
  const number = Number(/\/pulls\/(\d+)/.exec(textAt(body, 'pull_request_url') ?? '')?.[1]);
  const author = textAt(body, 'user', 'login');
  const writtenAt = timeAt(body, 'created_at');
  if (id === null || Number.isNaN(number) || author === null || writtenAt === null) return null;
  return {
    ...{ number, author, writtenAt },
    id: String(id),
    isBot: isProgram(author, bots),
    body: textAt(body, 'body') ?? '',
    changedAt: timeAt(body, 'updated_at') ?? writtenAt,
  };
}

/** Of the timeline of a pull request; null for everything else that stands there. A label that was set has the text `1`. */
export function timelineEventIn(body: unknown, number: number, bots: readonly string[]): LabelEvent | null {
  const id = numberAt(body, 'id');
  const label = textAt(body, 'label', 'name');
  const at = timeAt(body, 'created_at');
  if (textAt(body, 'type') !== 'label' || id === null || label === null || at === null) return null;
  const actor = textAt(body, 'user', 'login') ?? 'ghost';
  const type = textAt(body, 'body') === '1' ? 'set' : 'removed';
  return { id: String(id), number, type, label, actor, isBot: isProgram(actor, bots), at };
}
