import type { HostRepository } from './host-repository';

/** The content of a status check. `name` distinguishes the check from all other checks on the commit. */
export interface ShownStatus {
  readonly name: string;
  readonly state: 'pending' | 'success' | 'failure';
  /** At most 140 characters. */
  readonly description: string;
  /** URL with more details; null: there is none. */
  readonly url: string | null;
}

/** The label that shows the state of an entry. A pull request has at most one label of the service. */
export interface StateLabel {
  /** The prefix that all labels of the service share. */
  readonly prefix: string;
  /** Null: the pull request gets no label. */
  readonly name: string | null;
}

export interface TestingPullRequest {
  /** The testing branch, which is the head of the pull request and exists at the host. */
  readonly branch: string;
  readonly targetBranch: string;
  readonly title: string;
  readonly body: string;
}

export type Reaction = '+1' | '-1' | 'eyes';
export type Permission = 'admin' | 'write' | 'read' | 'none';

/** A comment under a pull request, with its present text. */
export interface WrittenComment {
  readonly id: string;
  readonly number: number;
  /** The author's login. */
  readonly author: string;
  readonly isBot: boolean;
  readonly body: string;
  readonly writtenAt: Date;
  /** The time of the last change; `writtenAt` if the comment was never changed. */
  readonly changedAt: Date;
}

/** Somebody set or removed a label of a pull request. */
export interface LabelEvent {
  /** The host's own id. A later event has a higher number. */
  readonly id: string;
  readonly number: number;
  readonly type: 'set' | 'removed';
  readonly label: string;
  readonly actor: string;
  readonly isBot: boolean;
  readonly at: Date;
}

/** The head of a pull request, as the host last showed it. */
export interface SeenHead {
  readonly number: number;
  /** Commit id, 40 hex. */
  readonly head: string;
  readonly headBranch: string | null;
}

/** The host's own record of when a pull request got its head. */
export interface HeadRecord {
  /** A time at which the head already was the head. A host that records whole seconds rounds up. */
  readonly since: Date;
  /** The login that pushed the head; null if the host does not say. */
  readonly pushedBy: string | null;
}

/**
 * Reads actions of people at pull requests, and their permissions. Throws HostUnavailable when the host does not
 * answer.
 */
export interface HostPeople {
  /** The login's permission in the repository; 'none' for a login that the host does not know. */
  permissionOf(repository: HostRepository, login: string): Promise<Permission>;
  /**
   * The host's record of the push that made the seen head the head of the pull request; null if there is no record.
   * Dates in a commit are no evidence, because the committer writes them. Absent: the host keeps no such records.
   */
  headRecordOf?(repository: HostRepository, seen: SeenHead): Promise<HeadRecord | null>;
  /** Whether the service writes its comments under that login; null if the service does not know its own login. */
  isOwnLogin(login: string): Promise<boolean | null>;
  /** The comments under pull requests that were written or changed after `since`, in the order of their last change. */
  commentsSince(repository: HostRepository, since: Date): Promise<readonly WrittenComment[]>;
  /** Label events of all pull requests, oldest first. */
  labelEventsSince(repository: HostRepository, since: Date): Promise<readonly LabelEvent[]>;
  /** All label events of one pull request, oldest first. */
  labelEventsOf(repository: HostRepository, number: number): Promise<readonly LabelEvent[]>;
}

/**
 * The texts and reactions of the service at pull requests. Every method ensures an end state: a repeated call changes
 * nothing, even if the answer to an earlier attempt was lost. A method throws HostUnavailable if the request cannot be
 * carried out now. A permanent refusal (a locked or deleted conversation, a missing permission) is logged and not
 * thrown, because the queue works without these texts.
 */
export interface PullRequestConversation {
  readonly people: HostPeople;
  /**
   * Set if the host closes an open testing pull request when its branch is removed. Absent: the pull request stays
   * open.
   */
  readonly branchRemovalCloses?: boolean;
  /**
   * Ensures that one comment of the service contains `marker`, and that its text is exactly `body`, which contains the
   * marker, too. The comment is written, or edited in place.
   */
  ensureComment(repository: HostRepository, number: number, marker: string, body: string): Promise<void>;
  showStatus(repository: HostRepository, commit: string, status: ShownStatus): Promise<void>;
  /**
   * Ensures an open pull request for the branch, as a draft if the host has drafts. A refusal is thrown, because CI may
   * depend on the pull request.
   */
  openTestingPullRequest(repository: HostRepository, pullRequest: TestingPullRequest): Promise<void>;
  /**
   * Ensures that no testing pull request of the service is open for the branch, whether or not the branch still exists.
   */
  closeTestingPullRequest(repository: HostRepository, branch: string): Promise<void>;
  /**
   * Ensures that the service has this reaction to a comment under that pull request. `commentId` comes from a host
   * event or from `commentsSince`.
   */
  react(repository: HostRepository, number: number, commentId: string, reaction: Reaction): Promise<void>;
  /** Answers a person by a comment with its own marker, as `ensureComment` does, but never edits that comment. */
  reply(repository: HostRepository, number: number, marker: string, body: string): Promise<void>;
  removeLabel(repository: HostRepository, number: number, label: string): Promise<void>;
  /**
   * Ensures that the pull request has this label, and no other label with `label.prefix`. Absent: the host has no
   * labels.
   */
  showStateLabel?(repository: HostRepository, number: number, label: StateLabel): Promise<void>;
}
