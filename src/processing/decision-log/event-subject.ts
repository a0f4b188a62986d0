import type { QueueEvent } from '../../engine/events';
import type { PullRequestFacts, QueuedHead } from '../../engine/model';

/** The observations of pull requests in an event. */
export function factsIn(event: QueueEvent): readonly PullRequestFacts[] {
  switch (event.type) {
    case 'pullRequestSubmitted':
    case 'pullRequestSeen':
      return [event.facts];
    case 'runPushed':
    case 'runResultKnown':
    case 'runNotStarted':
      return event.seen;
    default:
      return [];
  }
}

/**
 * The numbers of the pull requests in an event, and of the pull requests that their descriptions name, because the
 * decision about the event also checks whether the named pull requests have landed.
 */
export function numbersOf(event: QueueEvent): readonly number[] {
  if ('number' in event) return [event.number];
  if (event.type === 'allCancelRequested') return event.numbers;
  return factsIn(event).flatMap(({ number, dependsOn = [] }) => [number, ...dependsOn]);
}

/** The commit of the test run whose start is the outcome in `event`; empty for other events. */
export function commitsOf(event: QueueEvent): readonly string[] {
  return event.type === 'runPushed' || event.type === 'runResultKnown' ? [event.commit] : [];
}

export function arriving(event: QueueEvent): readonly QueuedHead[] {
  if (event.type !== 'pullRequestSubmitted') return [];
  return [{ entryId: event.newEntryId, number: event.facts.number, head: event.facts.head }];
}
