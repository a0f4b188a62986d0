import type { CodeHost, HostRepository } from '../../domain/code-host.port';

/** Files by path with their new content; null removes one. */
export type ContractChanges = Readonly<Record<string, string | null>>;

export type Later<T> = T | Promise<T>;

/**
 * What the author of an adapter provides: the host under test, made as the service makes it, and what people do at the server
 * behind it. The methods act on that server, not through `host`: a test double, or a real one with a repository to spare.
 */
export interface HostWorld {
  readonly host: CodeHost;
  /**
   * Exists, with one commit on `main` that has the file `README.md` with the line `hello`, and without pull requests. Owner and
   * name have a letter.
   */
  readonly repository: HostRepository;
  /**
   * Opens this very number with the title `Change <number>`, for `main`: one commit with the changes on `from`, or on the present
   * tip of `main`. Answers the commit id of the head. A host that counts for itself maps the numbers in the world.
   */
  openPullRequest(number: number, changes: ContractChanges, from?: string): Later<string>;
  /**
   * Opens one for `main` that the host can read, and that no candidate can be made of: git cannot check its files out, for
   * example. Answers the head. Absent: the host has no such pull requests.
   */
  openUnbuildablePullRequest?(number: number): Later<string>;
  /** One more commit on the pull request; answers the new head. */
  pushToPullRequest(number: number, changes: ContractChanges): Later<string>;
  /** Somebody pushes one commit to the branch past the queue; answers the new tip. */
  pushTo(branch: string, changes: ContractChanges): Later<string>;
  /** Points the branch at a commit of the repository; makes it when it is not there. */
  setBranch(branch: string, commit: string): Later<void>;
  removeBranch(branch: string): Later<void>;
  /**
   * From now on the rules or hooks of the server refuse new branches that begin with `sluice-merge/`. Answers words that it
   * says then. Absent: the host has no such rules.
   */
  refuseTestingBranches?(): Later<string>;
  /** What people do to an open pull request besides pushing. Absent: the host does not have it. */
  readonly turn?: {
    changeBase(number: number, branch: string): Later<void>;
    convertToDraft(number: number): Later<void>;
    close(number: number): Later<void>;
  };
  /**
   * Somebody is faster than the next landing that moves the branch in one step: after the landing read where the branch is,
   * and before it moves it, the branch is set to the commit by force. Null: the branch is removed.
   */
  overtakeNextLanding(branch: string, commit: string | null): Later<void>;
  /** Names of all branches, sorted, without those that are only heads of pull requests. */
  branches(): Later<readonly string[]>;
  /** Path and content of every file of a commit that the host has. */
  files(commit: string): Later<Readonly<Record<string, string>>>;
  /** Until `recover` the server answers nothing: no API and no git. */
  goDown(): Later<void>;
  recover(): Later<void>;
  /** Lets the time pass at which a host that merges in the background wants to be asked again. Absent: it is asked at once. */
  waitUntil?(time: Date): Later<void>;
  /** After every test: ends the server and removes its files. */
  close(): Later<void>;
}
