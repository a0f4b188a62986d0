import type { PageFacts } from '../../page-facts';
import { assertNever } from '../../vocabulary';
import { cancelled, failed, merged } from './concluded';
import { passed, pendingFailure, testing } from './testing';
import { code, type Story } from './text';
import { notReady, pending } from './waiting';

/** Found by it again: the one comment of the service under a pull request. */
export function commentMarker(brand: string): string {
  return `<!-- ${brand}-merge-queue -->`;
}

/** Says nothing that another pull request's movement makes wrong. */
export function commentOn(facts: PageFacts): string {
  const { title, sentences } = storyOf(facts);
  const how = howTo(facts);
  return [
    commentMarker(facts.brand),
    `### ${title}`,
    ...sentences,
    ...(how === null ? [] : [`<sub>${how}</sub>`]),
  ].join('\n\n');
}

export function storyOf(facts: PageFacts): Story {
  const { state } = facts.entry;
  switch (state) {
    case 'not_ready':
      return notReady(facts);
    case 'pending':
      return pending(facts);
    case 'testing':
      return testing(facts);
    case 'tests_passed':
      return passed(facts);
    case 'pending_failure':
      return pendingFailure(facts);
    case 'merged':
      return merged(facts);
    case 'failed':
      return failed(facts);
    case 'cancelled':
      return cancelled(facts);
    default:
      return assertNever(state);
  }
}

function howTo({ brand, queue, entry }: PageFacts): string | null {
  if (!queue.settings.commandsEnabled || entry.state === 'merged') return null;
  if (entry.state === 'failed' || entry.state === 'cancelled')
    return `To submit it again, write ${code(`/${brand} merge`)} in a comment of its own.`;
  return `To take it out of the queue, write ${code(`/${brand} cancel`)} in a comment of its own.`;
}
