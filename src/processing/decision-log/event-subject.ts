import type { QueueEvent } from '../../engine/events';
import type { PullRequestFacts, QueuedHead } from '../../engine/model';

/** The pull requests that an event shows. */
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

/** Includes the pull requests that descriptions name, because the same decision judges whether they landed. */
export function numbersOf(event: QueueEvent): readonly number[] {
  if ('number' in event) return [event.number];
  if (event.type === 'allCancelRequested') return event.numbers;
  return factsIn(event).flatMap(({ number, dependsOn = [] }) => [number, ...dependsOn]);
}

/** The commit of the run that the event is about. */
export function commitsOf(event: QueueEvent): readonly string[] {
  return event.type === 'runPushed' || event.type === 'runResultKnown' ? [event.commit] : [];
}

export function arriving(event: QueueEvent): readonly QueuedHead[] {
  if (event.type !== 'pullRequestSubmitted') return [];
  return [{ entryId: event.newEntryId, number: event.facts.number, head: event.facts.head }];
}
