import type { StatusReport } from './status-report';

/** What happened at a host. Kept as JSON: times that are read again are milliseconds since 1970. */
export type HostEvent = StatusReported | StatusesUnclear | PullRequestChanged | BranchChanged | UserEvent;

export interface BranchChanged {
  readonly type: 'branch_changed';
  readonly repositoryId: string;
  readonly branch: string;
  /** Absent: the host did not say. */
  readonly pushed?: BranchPush;
}

export interface BranchPush {
  /** What it left as the tip, 40 hex; null: it deleted the branch. */
  readonly commit: string | null;
  /** A login; null: the host did not say. */
  readonly by: string | null;
}

export interface StatusReported {
  readonly type: 'status_reported';
  readonly report: StatusReport;
  /** It was read together with all other reports on its commit. Absent: a webhook sent it, and another job may have replaced it. */
  readonly isSettled?: true;
}

/** What the inbox holds: host events, and what test health tells the queues. */
export type InboxEvent = HostEvent | ResultsUploaded;

/** Something was reported on a commit. Which reports count is read from the host, if a queue tests the commit. */
export interface StatusesUnclear {
  readonly type: 'statuses_unclear';
  readonly repositoryId: string;
  readonly commit: string;
}

/** Test results were uploaded for the commit of a test run. */
export interface ResultsUploaded {
  readonly type: 'results_uploaded';
  readonly repositoryId: string;
  readonly commit: string;
  /** The id of the upload. */
  readonly upload: string;
  /** How many tests failed that were known to be flaky, or quarantined, without those whose failures the job forgave. */
  readonly flaky: number;
  /** How many others failed. */
  readonly others: number;
  /** Names of some of those known to be flaky. */
  readonly tests: readonly string[];
}

/** Something about the pull request may have changed: it is read from the host before anything is decided. */
export interface PullRequestChanged {
  readonly type: 'pull_request_changed';
  readonly repositoryId: string;
  readonly number: number;
  /** The head that it had then; absent: the host did not say. */
  readonly head?: HeadTold;
}

/** What a host event says of the head of a pull request. */
export interface HeadTold {
  /** Commit id, 40 hex. */
  readonly sha: string;
  /** By the host's clock: by then it was the head. A host that tells whole seconds rounds up. */
  readonly since: number;
  /** The login of who pushed it or opened the pull request with it; null: the event is about something else. */
  readonly pushedBy: string | null;
}

/** What people did at pull requests. */
export type UserEvent = CommentMade | CommentEdited | LabelSet | PullRequestOpened;

/** Somebody wrote under a pull request. An edited comment is a `comment_edited`. */
export interface CommentMade {
  readonly type: 'comment_made';
  readonly repositoryId: string;
  readonly number: number;
  readonly commentId: string;
  /** The author's login. */
  readonly author: string;
  readonly isBot: boolean;
  readonly body: string;
  /** By the host's clock; a host that tells whole seconds rounds down. */
  readonly writtenAt: number;
}

/** Somebody ticked something in a comment, which need not be theirs. */
export interface CommentEdited {
  readonly type: 'comment_edited';
  readonly repositoryId: string;
  readonly number: number;
  readonly commentId: string;
  /** The login of who wrote it. */
  readonly author: string;
  /** The login of who edited it; null when the host did not say. */
  readonly editor: string | null;
  readonly isBot: boolean;
  /** The text before. Null: only known is that it was another one. */
  readonly before: string | null;
  readonly body: string;
  /** By the host's clock. */
  readonly editedAt: number;
}

/** Somebody set a label: who, and whether it still counts, is read from the host. */
export interface LabelSet {
  readonly type: 'label_set';
  readonly repositoryId: string;
  readonly number: number;
  readonly label: string;
}

/** It was opened, opened again, or turned to another branch. */
export interface PullRequestOpened {
  readonly type: 'pull_request_opened';
  readonly repositoryId: string;
  readonly number: number;
  readonly base: string;
  /** `owner:branch` for one in a fork. */
  readonly headBranch: string | null;
  /** By the host's clock: such events may arrive in another order. */
  readonly openedAt: number;
}
