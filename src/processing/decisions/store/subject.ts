import type { QueueEvent } from '../../../engine/events';
import type { BatchingRule, FreezeWindow } from '../../../engine/model';
import { numbersOf } from '../../decision-log/event-subject';
import type { QueueMode } from '../../../engine/vocabulary';

/**
 * The pull requests and commits of an event or a request. The rows of these pull requests and commits are loaded in
 * addition to the rows that every decision needs.
 */
export interface Subject {
  readonly numbers: readonly number[];
  readonly commits: readonly string[];
  /** Ids of commits: open entries whose head is one of these commits are loaded, too. */
  readonly contained?: readonly string[];
  /** The submitted pull request. The decision may create an entry for it. */
  readonly arriving?: Arrival;
  /** The requested mode. */
  readonly mode?: QueueMode;
  /** The requested batching rules. */
  readonly batchingRules?: readonly BatchingRule[];
  /** The requested freeze windows. */
  readonly freezeWindows?: readonly FreezeWindow[];
  /** Whether the request sets a merge limit. */
  readonly limitsMerges?: boolean;
}

interface Arrival {
  /** The id of the new entry, if the pull request has no entry yet. */
  readonly newEntryId: string;
  readonly number: number;
  readonly head: string;
}

export function subjectOf(event: QueueEvent): Subject {
  switch (event.type) {
    case 'pullRequestSubmitted': {
      const { newEntryId, facts } = event;
      const { number, head } = facts;
      const arriving = { newEntryId, number, head };
      return { numbers: numbersOf(event), commits: [], contained: event.commits, arriving };
    }
    case 'pullRequestSeen':
      return { numbers: numbersOf(event), commits: [], contained: event.commits };
    case 'pullRequestGone':
    case 'cancelRequested':
    case 'restartRequested':
    case 'promotionRequested':
    case 'targetsGiven':
      return { numbers: numbersOf(event), commits: [] };
    case 'allCancelRequested':
    case 'targetsComputed':
      return { numbers: event.numbers, commits: [] };
    case 'runPushed':
    case 'runResultKnown':
      return { numbers: numbersOf(event), commits: [event.commit] };
    case 'runNotStarted':
      return { numbers: numbersOf(event), commits: [] };
    case 'settingsChanged':
      return {
        ...{ numbers: [], commits: [], mode: event.mode, batchingRules: event.settings.batchingRules },
        freezeWindows: event.settings.freezeWindows,
        limitsMerges: event.settings.maxMergesPerHour != null,
      };
    case 'targetSeen':
      return { numbers: (event.lost ?? []).map(({ number }) => number), commits: [] };
    case 'deletionRequested':
    case 'testingBranchMoved':
    case 'ciSeen':
    case 'statusReported':
    case 'resultsUploaded':
    case 'clockTicked':
    case 'landed':
    case 'landedPartly':
    case 'landingRefused':
      return { numbers: [], commits: [] };
  }
}
