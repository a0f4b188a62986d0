import type { LabelEvent, WrittenComment } from '../../../domain/code-host.port';
import { labelEventOf, writtenCommentIn } from '../../forge/conversation/written';
import { textAt } from '../../reading';

/** The accounts of Gitea and Forgejo that run workflows. */
const ACTIONS = ['gitea-actions', 'forgejo-actions'];

/** Whether the login belongs to a program. The host does not mark bot accounts, so the settings name them. */
export function isProgram(login: string, bots: readonly string[]): boolean {
  return [...ACTIONS, ...bots].includes(login.toLowerCase());
}

/** A comment under a pull request; null for a comment under an issue, or if a needed field is missing. */
export function giteaCommentIn(body: unknown, bots: readonly string[]): WrittenComment | null {
  const number = Number(/\/pulls\/(\d+)/.exec(textAt(body, 'pull_request_url') ?? '')?.[1]);
  return writtenCommentIn(body, number, doerIn(body, bots));
}

/**
 * A label event in the timeline of a pull request; null for all other entries. A label that was set has the text `1`.
 */
export function timelineEventIn(body: unknown, number: number, bots: readonly string[]): LabelEvent | null {
  if (textAt(body, 'type') !== 'label') return null;
  return labelEventOf(body, number, textAt(body, 'body') === '1' ? 'set' : 'removed', doerIn(body, bots));
}

function doerIn(body: unknown, bots: readonly string[]) {
  const login = textAt(body, 'user', 'login');
  return { login, isBot: isProgram(login ?? '', bots) };
}
