import type { WrittenComment } from '../../../domain/code-host.port';
import { writtenCommentIn } from '../../forge/conversation/written';
import { at, textAt } from '../../reading';
import { isGitLabProgram } from './programs';

/** A note under a merge request; null where something is missing, and for what the host itself notes. */
export function gitLabCommentIn(note: unknown, number: number, bots: readonly string[]): WrittenComment | null {
  if (at(note, 'system') === true) return null;
  const login = textAt(note, 'author', 'username');
  return writtenCommentIn(note, number, { login, isBot: isGitLabProgram(login ?? '', bots) });
}
