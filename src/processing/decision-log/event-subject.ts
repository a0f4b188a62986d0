import type { QueueEvent } from '../../engine/events';
import type { PullRequestFacts, QueuedHead } from '../../engine/model';

/** What an event shows of pull requests. */
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

/** With those that their descriptions name: whether they landed is judged in the same decision. */
export function numbersOf(event: QueueEvent): readonly number[] {
  if ('number' in event) return [event.number];
  if (event.type === 'allCancelRequested') return event.numbers;
  return factsIn(event).flatMap(({ number, dependsOn = [] }) => [number, ...dependsOn]);
}

/** Of the run that the event is about. */
export function commitsOf(event: QueueEvent): readonly string[] {
  return event.type === 'runPushed' || event.type === 'runResultKnown' ? [event.commit] : [];
}

export function arriving(event: QueueEvent): readonly QueuedHead[] {
  if (event.type !== 'pullRequestSubmitted') return [];
  return [{ entryId: event.newEntryId, number: event.facts.number, head: event.facts.head }];
}
