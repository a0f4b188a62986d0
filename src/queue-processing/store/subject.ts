import type { QueueEvent } from '../../engine/events';
import type { QueueMode } from '../../engine/vocabulary';

/** What the event or the question is about, beyond what every decision looks at. */
export interface Subject {
  readonly numbers: readonly number[];
  readonly commits: readonly string[];
  /** A pull request that is being submitted: its entry may start with this very decision. */
  readonly arriving?: Arrival;
  /** The mode that the queue is asked to change to. */
  readonly mode?: QueueMode;
}

export interface Arrival {
  /** When it has no entry yet. */
  readonly newEntryId: string;
  readonly number: number;
  readonly head: string;
}

export function subjectOf(event: QueueEvent): Subject {
  switch (event.type) {
    case 'pullRequestSubmitted': {
      const { newEntryId, facts } = event;
      const { number, head } = facts;
      return { numbers: [number], commits: [], arriving: { newEntryId, number, head } };
    }
    case 'pullRequestSeen':
      return { numbers: [event.facts.number], commits: [] };
    case 'pullRequestGone':
    case 'cancelRequested':
    case 'restartRequested':
    case 'targetsGiven':
      return { numbers: [event.number], commits: [] };
    case 'runPushed':
    case 'runResultKnown':
      return { numbers: event.seen.map((facts) => facts.number), commits: [event.commit] };
    case 'runNotStarted':
      return { numbers: event.seen.map((facts) => facts.number), commits: [] };
    case 'settingsChanged':
      return { numbers: [], commits: [], mode: event.mode };
    case 'deletionRequested':
    case 'targetSeen':
    case 'statusReported':
    case 'clockTicked':
    case 'landed':
    case 'landedPartly':
    case 'landingRefused':
      return { numbers: [], commits: [] };
  }
}
