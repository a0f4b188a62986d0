import type { UploadFact } from '../engine/test-runs';
import type { StatusReport } from './status-report';

/** An event at a code host. It is stored as JSON, so times that are read back are milliseconds since 1970. */
export type HostEvent = StatusReported | StatusesUnclear | PullRequestChanged | BranchChanged | UserEvent;

export interface BranchChanged {
  readonly type: 'branch_changed';
  readonly repositoryId: string;
  readonly branch: string;
  /** Who pushed the branch, and to which commit. Absent: the host did not say. */
  readonly pushed?: BranchPush;
}

export interface BranchPush {
  /** The new tip, 40 hex; null: the push deleted the branch. */
  readonly commit: string | null;
  /** A login; null: the host did not say. */
  readonly by: string | null;
}

export interface StatusReported {
  readonly type: 'status_reported';
  readonly report: StatusReport;
  /**
   * Set if the report was read together with all other reports on its commit. Absent: a webhook sent the report, and
   * another job may have replaced it.
   */
  readonly isSettled?: true;
}

/** The content of the inbox: host events, and messages from test health to the queues. */
export type InboxEvent = HostEvent | ResultsUploaded;

/** A commit has a new report. If a queue tests the commit, the reports that count are read from the host. */
export interface StatusesUnclear {
  readonly type: 'statuses_unclear';
  readonly repositoryId: string;
  readonly commit: string;
}

/** Test results were uploaded for the commit of a test run. */
export interface ResultsUploaded extends UploadFact {
  readonly type: 'results_uploaded';
  readonly repositoryId: string;
}

/** The pull request may have changed. The pull request is read from the host before any decision. */
export interface PullRequestChanged {
  readonly type: 'pull_request_changed';
  readonly repositoryId: string;
  readonly number: number;
  /** The head at the time of the event. Absent: the host did not say. */
  readonly head?: HeadTold;
}

/** The head of a pull request, according to a host event. */
export interface HeadTold {
  /** Commit id, 40 hex. */
  readonly sha: string;
  /**
   * A time, by the host's clock, at which the commit already was the head. A host that reports whole seconds rounds up.
   */
  readonly since: number;
  /**
   * The login that pushed the head, or that opened the pull request with it; null if the event is about something else.
   */
  readonly pushedBy: string | null;
}

/** Actions of people at pull requests. */
export type UserEvent = CommentMade | CommentEdited | LabelSet | PullRequestOpened;

/** Somebody wrote a comment under a pull request. If somebody edits a comment, the event is a `CommentEdited`. */
export interface CommentMade {
  readonly type: 'comment_made';
  readonly repositoryId: string;
  readonly number: number;
  readonly commentId: string;
  /** The author's login. */
  readonly author: string;
  readonly isBot: boolean;
  readonly body: string;
  /** The time by the host's clock. A host that reports whole seconds rounds down. */
  readonly writtenAt: number;
}

/** Somebody ticked a box in a comment, possibly in the comment of somebody else. */
export interface CommentEdited {
  readonly type: 'comment_edited';
  readonly repositoryId: string;
  readonly number: number;
  readonly commentId: string;
  /** The login that wrote the comment. */
  readonly author: string;
  /** The login that edited the comment; null when the host did not say. */
  readonly editor: string | null;
  readonly isBot: boolean;
  /** The text before the edit. Null if the host says only that the text was different. */
  readonly before: string | null;
  readonly body: string;
  /** The time of the edit, by the host's clock. */
  readonly editedAt: number;
}

/** Somebody set a label. The service asks the host who set the label, and whether the label is still set. */
export interface LabelSet {
  readonly type: 'label_set';
  readonly repositoryId: string;
  readonly number: number;
  readonly label: string;
}

/** The pull request was opened or reopened, or its base was changed. */
export interface PullRequestOpened {
  readonly type: 'pull_request_opened';
  readonly repositoryId: string;
  readonly number: number;
  readonly base: string;
  /** The head branch, as `owner:branch` for a branch of a fork. */
  readonly headBranch: string | null;
  /** The time by the host's clock, because these events may arrive out of order. */
  readonly openedAt: number;
}
