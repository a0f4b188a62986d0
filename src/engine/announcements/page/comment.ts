import type { PageFacts } from '../../page-facts';
import { assertNever } from '../../vocabulary';
import { submitBox } from './checkbox';
import { cancelled, failed, merged } from './concluded';
import { commentMarker } from './marker';
import { passed, pendingFailure, testing } from './testing';
import { code, type Story } from './text';
import { notReady, pending } from './waiting';

/** Says nothing that another pull request's movement makes wrong. */
export function commentOn(facts: PageFacts): string {
  const { title, sentences } = storyOf(facts);
  const how = howTo(facts);
  return [commentMarker(facts.brand), `### ${title}`, ...sentences, ...(how === null ? [] : [how])].join('\n\n');
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
  const { commandsEnabled } = queue.settings;
  if (entry.state === 'failed' || entry.state === 'cancelled')
    return submitBox(brand, `put it into the queue of ${code(queue.branch)} again`, commandsEnabled);
  if (!commandsEnabled || entry.state === 'merged') return null;
  return `<sub>To take it out of the queue, write ${code(`/${brand} cancel`)} in a comment of its own.</sub>`;
}
