import type { PullRequestViewFacts } from '../../pull-request-view-facts';
import { assertNever } from '../../vocabulary';
import { submitCheckbox } from '../checkbox';
import { cancelled, failed, merged } from './concluded';
import { commentMarker } from '../marker';
import { passed, pendingFailure, testing } from './testing';
import { code, type Story } from '../markdown';
import { notReady, pending } from './waiting';

/** Says nothing that another pull request's movement makes wrong. */
export function commentOn(facts: PullRequestViewFacts): string {
  const { title, sentences } = storyOf(facts);
  const how = howTo(facts);
  return [commentMarker(facts.brand), `### ${title}`, ...sentences, ...(how === null ? [] : [how])].join('\n\n');
}

export function storyOf(facts: PullRequestViewFacts): Story {
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

function howTo({ brand, queue, entry }: PullRequestViewFacts): string | null {
  const { commandsEnabled } = queue.settings;
  if (entry.state === 'failed' || entry.state === 'cancelled')
    return submitCheckbox(brand, `put it into the queue of ${code(queue.branch)} again`, commandsEnabled);
  if (!commandsEnabled || entry.state === 'merged') return null;
  return `<sub>To take it out of the queue, write ${code(`/${brand} cancel`)} in a comment of its own.</sub>`;
}
