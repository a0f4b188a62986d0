import type { EntryState, QueueState, StateReason } from '../engine/vocabulary';

/**
 * The fields of every event. A minor version may add fields. Only a major version removes a field or changes its
 * meaning.
 */
interface EventOfQueue {
  /** `<queue id>/<sequence>`, unique for the event. A repeated delivery has the same id. */
  readonly id: string;
  /**
   * The position of the event in the log of its queue. Later events of the queue have larger numbers; numbers may be
   * missing.
   */
  readonly sequence: number;
  /** Time of the event: ISO 8601, UTC. */
  readonly at: string;
  /** Slug of the organization of the repository. */
  readonly organization: string;
  readonly queue: {
    readonly id: string;
    /** The id of the repository, as in `Caller.repositoryIds`. A renamed repository keeps its id. */
    readonly repositoryId: string;
    readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
    readonly targetBranch: string;
  };
  /** The name of a token, or a login at the code host. Null: the queue itself. */
  readonly actor: string | null;
}

interface PullRequestOfEvent {
  readonly number: number;
  /** The head commit at the time of the event. */
  readonly head: string;
}

/** A pull request was submitted, or its state changed: one event for every item of its timeline. */
export interface EntryMovedEvent extends EventOfQueue {
  readonly type: 'entry_moved';
  /**
   * The id of the entry. It stays the same when the pull request is submitted again; then `attempt` increases by one.
   */
  readonly entryId: string;
  readonly attempt: number;
  readonly pullRequest: PullRequestOfEvent;
  /** Null: the pull request was submitted. */
  readonly from: EntryState | null;
  readonly to: EntryState;
  readonly reason: StateReason | null;
  readonly testRunId: string | null;
}

export interface QueueStateChangedEvent extends EventOfQueue {
  readonly type: 'queue_state_changed';
  readonly from: QueueState;
  readonly to: QueueState;
}

export interface TestRunStartedEvent extends EventOfQueue {
  readonly type: 'test_run_started';
  readonly testRunId: string;
  readonly isBisection: boolean;
  readonly pullRequests: readonly PullRequestOfEvent[];
}

/** A test run has ended: the pull requests of the run were merged, or the queue will not use the result. */
export interface TestRunEndedEvent extends EventOfQueue {
  readonly type: 'test_run_ended';
  readonly testRunId: string;
  readonly isBisection: boolean;
  readonly pullRequests: readonly PullRequestOfEvent[];
  /** `cancelled`: the run ended without a result. */
  readonly result: 'succeeded' | 'failed' | 'cancelled';
}

export type QueueEvent = EntryMovedEvent | QueueStateChangedEvent | TestRunStartedEvent | TestRunEndedEvent;
export type QueueEventType = QueueEvent['type'];
export type QueueEventOf<T extends QueueEventType> = Extract<QueueEvent, { readonly type: T }>;
