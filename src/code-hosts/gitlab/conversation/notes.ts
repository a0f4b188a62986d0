import type { WrittenComment } from '../../../domain/code-host.port';
import { at, numberAt, textAt, timeAt } from '../../reading';
import { isGitLabProgram } from './programs';

/** A note under a merge request; null where something is missing, and for what the host itself notes. */
export function gitLabCommentIn(note: unknown, number: number, bots: readonly string[]): WrittenComment | null {
  const id = numberAt(note, 'id');
  const author = textAt(note, 'author', 'username');
  const writtenAt = timeAt(note, 'created_at');
  if (id === null || author === null || writtenAt === null || at(note, 'system') === true) return null;
  const changedAt = timeAt(note, 'updated_at') ?? writtenAt;
  const body = textAt(note, 'body') ?? '';
  return { id: String(id), number, author, isBot: isGitLabProgram(author, bots), body, writtenAt, changedAt };
}
