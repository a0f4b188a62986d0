import type { HostRepository } from './host-repository';

/** What a status check says; `name` tells it from all others on the commit. */
export interface ShownStatus {
  readonly name: string;
  readonly state: 'pending' | 'success' | 'failure';
  /** At most 140 characters. */
  readonly description: string;
  /** Where a person reads more; null: nowhere. */
  readonly url: string | null;
}

/** The one label of the service at a pull request. */
export interface StateLabel {
  /** What all labels of the service begin with. */
  readonly prefix: string;
  /** Null: none. */
  readonly name: string | null;
}

export interface TestingPullRequest {
  /** Its head: the testing branch, which is at the host. */
  readonly branch: string;
  readonly targetBranch: string;
  readonly title: string;
  readonly body: string;
}

export type Reaction = '+1' | '-1' | 'eyes';
export type Permission = 'admin' | 'write' | 'read' | 'none';

/** What somebody wrote under a pull request, as it reads now. */
export interface WrittenComment {
  readonly id: string;
  readonly number: number;
  /** The author's login. */
  readonly author: string;
  readonly isBot: boolean;
  readonly body: string;
  readonly writtenAt: Date;
  /** Of the last change; `writtenAt` when there was none. */
  readonly changedAt: Date;
}

/** Somebody set a label at a pull request, or took it off. */
export interface LabelEvent {
  /** The host's own; of two events the later one has the higher number. */
  readonly id: string;
  readonly number: number;
  readonly type: 'set' | 'removed';
  readonly label: string;
  readonly actor: string;
  readonly isBot: boolean;
  readonly at: Date;
}

/** The head of a pull request, as a look at the host showed it. */
export interface SeenHead {
  readonly number: number;
  /** Commit id, 40 hex. */
  readonly head: string;
  readonly headBranch: string | null;
}

/** Since when a pull request has its head, by the host's own record. */
export interface HeadRecord {
  /** By then it was the head. A host that records whole seconds rounds up. */
  readonly since: Date;
  /** The login of who pushed it; null: the host does not say. */
  readonly pushedBy: string | null;
}

/** What people did at pull requests, and may do. Throws HostUnavailable when it could not be found out. */
export interface HostPeople {
  /** What that login may do in the repository; 'none' for one that the host does not know. */
  permissionOf(repository: HostRepository, login: string): Promise<Permission>;
  /**
   * The host's record of the push that gave the pull request the head that was seen; null when it has none. The dates in
   * a commit are no record: whoever makes the commit writes them. Absent: the host keeps no such records.
   */
  headRecordOf?(repository: HostRepository, seen: SeenHead): Promise<HeadRecord | null>;
  /** Whether the service writes under that login; null when it does not know what it writes as. */
  isOwnLogin(login: string): Promise<boolean | null>;
  /** Comments under pull requests that were written or changed since then, those changed first first. */
  commentsSince(repository: HostRepository, since: Date): Promise<readonly WrittenComment[]>;
  /** Of all pull requests, oldest first. */
  labelEventsSince(repository: HostRepository, since: Date): Promise<readonly LabelEvent[]>;
  /** All of one pull request, oldest first. */
  labelEventsOf(repository: HostRepository, number: number): Promise<readonly LabelEvent[]>;
}

/**
 * What the service shows and answers at pull requests. Every method ensures an end state: repeated, it changes nothing, also
 * when the answer to an earlier try was lost. Throws HostUnavailable when it could not be done now. What the host refuses for
 * good (a conversation that is locked or gone, a missing permission) is logged and not thrown: the queue does not depend on it.
 */
export interface PullRequestConversation {
  readonly people: HostPeople;
  /** Removing a testing branch closes the pull request that is open for it. Absent: it stays open. */
  readonly branchRemovalCloses?: boolean;
  /** One comment of ours that contains `marker`, with exactly this body, which contains it, too: made, or edited in place. */
  ensureComment(repository: HostRepository, number: number, marker: string, body: string): Promise<void>;
  showStatus(repository: HostRepository, commit: string, status: ShownStatus): Promise<void>;
  /** An open pull request for the branch, a draft where the host has them. A refusal is thrown: CI may depend on it. */
  openTestingPullRequest(repository: HostRepository, pullRequest: TestingPullRequest): Promise<void>;
  /** None of ours is open for the branch, whether or not the branch is still there. */
  closeTestingPullRequest(repository: HostRepository, branch: string): Promise<void>;
  /** One reaction of ours to a comment under that pull request; `commentId` is what its host event or list said. */
  react(repository: HostRepository, number: number, commentId: string, reaction: Reaction): Promise<void>;
  /** Like `ensureComment`, with a marker of its own, but never edited: answers what a person wrote. */
  reply(repository: HostRepository, number: number, marker: string, body: string): Promise<void>;
  removeLabel(repository: HostRepository, number: number, label: string): Promise<void>;
  /** Of the labels with that prefix the pull request has this one and no other. Absent: the host has no labels. */
  showStateLabel?(repository: HostRepository, number: number, label: StateLabel): Promise<void>;
}
