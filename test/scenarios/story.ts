import type { Mergeability, QueueMode, RequestableQueueState } from '../../src/engine/vocabulary';
import type { Expected, GivenPullRequest, ScenarioSettings, Targets, Tested } from './notation';

/** The vocabulary of stories: its functions only make data, and stages carry it out. */

export type Reception = 'heard' | 'missed';
export type ReportedState = 'running' | 'passed' | 'failed' | 'cancelled';

export interface SubmitOptions {
  readonly priority?: number | 'urgent' | 'high' | 'medium' | 'low';
  readonly noBatch?: boolean;
}

export type PullRequestTurn = 'pushed to' | 'closed' | 'reopened' | 'merged by hand' | 'removed' | 'mentioned';

export type Deed =
  | {
      readonly type: 'submit';
      readonly number: number;
      readonly wishes: SubmitOptions;
      readonly by: 'submitter' | 'reader';
    }
  | { readonly type: 'cancel'; readonly number: number }
  | { readonly type: 'restart'; readonly number: number }
  | {
      readonly type: 'report';
      readonly tested: Tested;
      /** With `over`, the report is about the newest run with this content that the queue does not need any more. */
      readonly run: 'live' | 'over';
      readonly status: string;
      readonly state: ReportedState;
    }
  | { readonly type: 'reportOnHead'; readonly number: number; readonly status: string; readonly state: ReportedState }
  | { readonly type: 'changeQueue'; readonly change: QueueChange }
  | { readonly type: 'deleteQueue' }
  | { readonly type: 'giveTargets'; readonly number: number; readonly targets: Targets }
  | { readonly type: 'letPass'; readonly minutes: number }
  | { readonly type: 'replaceProcess' }
  | { readonly type: 'addProcess' }
  | HostDeed;

/** Events at the code host. With `missed`, the queue receives no event from the host. */
export type HostDeed =
  | { readonly type: 'turn'; readonly number: number; readonly into: PullRequestTurn; readonly hostEvent: Reception }
  | {
      readonly type: 'sayMergeability';
      readonly number: number;
      readonly says: Mergeability;
      readonly hostEvent: Reception;
    }
  | { readonly type: 'pushToTarget'; readonly title: string; readonly hostEvent: Reception }
  | { readonly type: 'lookAtHost' }
  | { readonly type: 'hostStopsAnswering' }
  | { readonly type: 'hostAnswersAgain' }
  | { readonly type: 'refuseLanding'; readonly number: number; readonly why: string }
  | { readonly type: 'breakLanding'; readonly number: number }
  | { readonly type: 'loseAnswer'; readonly of: 'start' | 'landing' };

export type QueueChange = ScenarioSettings & { readonly state?: RequestableQueueState; readonly mode?: QueueMode };

/**
 * The `deeds` happen one after another, or all at once if the beat is a `race`. The world comes to rest after the last
 * deed.
 */
export type Beat =
  | { readonly beat: 'deeds' | 'race'; readonly deeds: readonly Deed[]; readonly refusal: string | null }
  | { readonly beat: 'shows'; readonly expected: Expected };
export type DeedBeat = Extract<Beat, { beat: 'deeds' | 'race' }>;

function done(...deeds: readonly Deed[]): DeedBeat {
  return { beat: 'deeds', deeds, refusal: null };
}

export function shows(expected: Expected): Beat {
  return { beat: 'shows', expected };
}

/** Plays several beats as one. The service does nothing between their deeds. */
export function together(...beats: readonly DeedBeat[]): DeedBeat {
  return done(...beats.flatMap((beat) => beat.deeds));
}

export function racing(...beats: readonly DeedBeat[]): DeedBeat {
  return { ...together(...beats), beat: 'race' };
}

export function refused(beat: DeedBeat, refusal: string): DeedBeat {
  return { ...beat, refusal };
}

export function given(...numbers: readonly number[]): readonly GivenPullRequest[] {
  return numbers.map((number) => ({ number }));
}

export function submit(...numbers: readonly number[]): DeedBeat {
  return submitWith({}, ...numbers);
}

export function submitWith(wishes: SubmitOptions, ...numbers: readonly number[]): DeedBeat {
  return done(...numbers.map((number): Deed => ({ type: 'submit', number, wishes, by: 'submitter' })));
}

/** A person who has only read access submits the pull request. */
export function submitAsReader(number: number): DeedBeat {
  return done({ type: 'submit', number, wishes: {}, by: 'reader' });
}

export function cancel(...numbers: readonly number[]): DeedBeat {
  return done(...numbers.map((number): Deed => ({ type: 'cancel', number })));
}

export function restart(number: number): DeedBeat {
  return done({ type: 'restart', number });
}

export function passes(...tests: readonly Tested[]): DeedBeat {
  return together(...tests.map((tested) => reports(tested, 'ci', 'passed')));
}

export function fails(...tests: readonly Tested[]): DeedBeat {
  return together(...tests.map((tested) => reports(tested, 'ci', 'failed')));
}

export function reports(tested: Tested, status: string, state: ReportedState): DeedBeat {
  return done({ type: 'report', tested, run: 'live', status, state });
}

/** CI reports a status for a run that is over. */
export function reportsLate(tested: Tested, status: string, state: ReportedState): DeedBeat {
  return done({ type: 'report', tested, run: 'over', status, state });
}

export function reportsOnHead(number: number, status: string, state: ReportedState): DeedBeat {
  return done({ type: 'reportOnHead', number, status, state });
}

export function pushes(number: number, hostEvent: Reception = 'heard'): DeedBeat {
  return done({ type: 'turn', number, into: 'pushed to', hostEvent });
}

export function closes(number: number, hostEvent: Reception = 'heard'): DeedBeat {
  return done({ type: 'turn', number, into: 'closed', hostEvent });
}

export function reopens(number: number, hostEvent: Reception = 'heard'): DeedBeat {
  return done({ type: 'turn', number, into: 'reopened', hostEvent });
}

export function mergesByHand(number: number, hostEvent: Reception = 'heard'): DeedBeat {
  return done({ type: 'turn', number, into: 'merged by hand', hostEvent });
}

export function removes(number: number, hostEvent: Reception = 'heard'): DeedBeat {
  return done({ type: 'turn', number, into: 'removed', hostEvent });
}

/** The host sends an event about a pull request that did not change. */
export function mentions(number: number): DeedBeat {
  return done({ type: 'turn', number, into: 'mentioned', hostEvent: 'heard' });
}

export function hostSays(number: number, says: Mergeability, hostEvent: Reception = 'heard'): DeedBeat {
  return done({ type: 'sayMergeability', number, says, hostEvent });
}

export function pushesToTarget(title: string, hostEvent: Reception = 'heard'): DeedBeat {
  return done({ type: 'pushToTarget', title, hostEvent });
}

/** The slow poll of the service runs, which finds missed events. */
export function looksAtHost(): DeedBeat {
  return done({ type: 'lookAtHost' });
}

export function hostStopsAnswering(): DeedBeat {
  return done({ type: 'hostStopsAnswering' });
}

/** The host answers again. Tasks that waited for it are retried within minutes. */
export function hostAnswersAgain(): DeedBeat {
  return done({ type: 'hostAnswersAgain' }, { type: 'letPass', minutes: 6 });
}

export function hostRefuses(number: number, why = 'protected'): DeedBeat {
  return done({ type: 'refuseLanding', number, why });
}

/** From now on, the host answers with a server error whenever it has to land this pull request. */
export function hostBreaksOn(number: number): DeedBeat {
  return done({ type: 'breakLanding', number });
}

/** The next task of this kind takes effect at the host, but its answer is lost. */
export function losesAnswerOf(of: 'start' | 'landing'): DeedBeat {
  return done({ type: 'loseAnswer', of });
}

export function changes(change: QueueChange): DeedBeat {
  return done({ type: 'changeQueue', change });
}

export function deletesQueue(): DeedBeat {
  return done({ type: 'deleteQueue' });
}

export function impacts(number: number, targets: Targets): DeedBeat {
  return done({ type: 'giveTargets', number, targets });
}

export function minutes(length: number): DeedBeat {
  return done({ type: 'letPass', minutes: length });
}

/** The process dies, and another process continues. */
export function replacesProcess(): DeedBeat {
  return done({ type: 'replaceProcess' });
}

/** From now on two processes do the same work at the same time. */
export function addsProcess(): DeedBeat {
  return done({ type: 'addProcess' });
}
