import type { EntryState, QueueState, StateReason } from '../engine/vocabulary';

/** What every event tells. A field may be added in a minor version; none changes its meaning or goes within a major one. */
interface EventOfQueue {
  /** The same whenever the event is delivered again, and of no other event: `<queue id>/<sequence>`. */
  readonly id: string;
  /** The place in the log of its queue. Later events of a queue have larger ones; there are gaps. */
  readonly sequence: number;
  /** When it happened: ISO 8601, UTC. */
  readonly at: string;
  /** Slug of the organization that the repository belongs to. */
  readonly organization: string;
  readonly queue: {
    readonly id: string;
    /** As in `Caller.repositoryIds`. Kept when the repository gets another name. */
    readonly repositoryId: string;
    readonly repo: { readonly host: string; readonly owner: string; readonly name: string };
    readonly targetBranch: string;
  };
  /** Name of a token, or a login at the host. Null: the queue itself. */
  readonly actor: string | null;
}

interface PullRequestOfEvent {
  readonly number: number;
  /** The commit that was its head when this happened. */
  readonly head: string;
}

/** A pull request was submitted, or came into another state: one for every item of its timeline. */
export interface EntryMovedEvent extends EventOfQueue {
  readonly type: 'entry_moved';
  /** Kept when the pull request is submitted again; `attempt` then grows by one. */
  readonly entryId: string;
  readonly attempt: number;
  readonly pullRequest: PullRequestOfEvent;
  /** Null: it was submitted. */
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

/** The queue is done with the run: its pull requests landed, or it will not be used. */
export interface TestRunEndedEvent extends EventOfQueue {
  readonly type: 'test_run_ended';
  readonly testRunId: string;
  readonly isBisection: boolean;
  readonly pullRequests: readonly PullRequestOfEvent[];
  /** `cancelled`: it ended without a result. */
  readonly result: 'succeeded' | 'failed' | 'cancelled';
}

export type QueueEvent = EntryMovedEvent | QueueStateChangedEvent | TestRunStartedEvent | TestRunEndedEvent;
export type QueueEventType = QueueEvent['type'];
export type QueueEventOf<T extends QueueEventType> = Extract<QueueEvent, { readonly type: T }>;
