import type { HostRepository } from './code-host-repository.port';

/** What a status check says; `name` tells it from all others on the commit. */
export interface ShownStatus {
  readonly name: string;
  readonly state: 'pending' | 'success' | 'failure';
  /** At most 140 characters. */
  readonly description: string;
  /** Where a person reads more; null: nowhere. */
  readonly url: string | null;
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

/**
 * What a host with pages for pull requests lets the service show and answer there. Every method but the last ensures an end
 * state: repeated, it changes nothing, also when the answer to an earlier try was lost. Throws HostUnavailable when it
 * could not be done now. What the host refuses for good (a page that is locked or gone, a permission that is missing) is
 * logged and not thrown: nothing of the queue hangs on it.
 */
export interface PullRequestPage {
  /** One comment of ours that contains `marker`, with exactly this body, which contains it, too: made, or edited in place. */
  ensureComment(repository: HostRepository, number: number, marker: string, body: string): Promise<void>;
  showStatus(repository: HostRepository, commit: string, status: ShownStatus): Promise<void>;
  /** An open pull request for the branch, a draft where the host has them. Its refusal is thrown: CI may hang on it. */
  openTestingPullRequest(repository: HostRepository, pullRequest: TestingPullRequest): Promise<void>;
  /** None of ours is open for the branch, whether or not the branch is still there. */
  closeTestingPullRequest(repository: HostRepository, branch: string): Promise<void>;
  react(repository: HostRepository, commentId: string, reaction: Reaction): Promise<void>;
  /** Like `ensureComment`, with a marker of its own: answers what a person wrote. */
  reply(repository: HostRepository, number: number, marker: string, body: string): Promise<void>;
  /** What that login may do in the repository; 'none' for one that the host does not know. */
  permissionOf(repository: HostRepository, login: string): Promise<Permission>;
}
