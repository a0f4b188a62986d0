import type { CodeHost, HostRepository } from '../../domain/code-host.port';

/** New content of files by path; null removes a file. */
export type ContractChanges = Readonly<Record<string, string | null>>;

export type Later<T> = T | Promise<T>;

/**
 * The author of an adapter provides this: the host under test, made as the service makes it, and the actions of people
 * at its server. The actions do not go through `host`. The server is a mock, or a real one with a spare repository.
 */
export interface HostWorld {
  readonly host: CodeHost;
  /**
   * A repository whose `main` has one commit with the file `README.md` and its line `hello`. It has no pull requests.
   * Owner and name contain a letter.
   */
  readonly repository: HostRepository;
  /**
   * Opens exactly this number, titled `Change <number>`, into `main`: one commit with the changes on top of `from`, or
   * of the current tip of `main`. Returns the commit id of the head. If the host assigns its own numbers, the world
   * maps them.
   */
  openPullRequest(number: number, changes: ContractChanges, from?: string): Later<string>;
  /**
   * Opens a pull request into `main` that the host can read, but from which no candidate can be built: for example, git
   * cannot check its files out. Returns the head. Absent: the host has no pull requests of this kind.
   */
  openUnbuildablePullRequest?(number: number): Later<string>;
  /** Pushes one more commit to the pull request; returns the new head. */
  pushToPullRequest(number: number, changes: ContractChanges): Later<string>;
  /** Pushes one commit to the branch, bypassing the queue; returns the new tip. */
  pushTo(branch: string, changes: ContractChanges): Later<string>;
  /** Sets the branch to a commit of the repository; creates a missing branch. */
  setBranch(branch: string, commit: string): Later<void>;
  removeBranch(branch: string): Later<void>;
  /**
   * From now on, the rules or hooks of the server refuse new branches that begin with `sluice-merge/`. Returns words of
   * the refusal. Absent: the host has no rules of this kind.
   */
  refuseTestingBranches?(): Later<string>;
  /** Other actions of people at an open pull request. Absent: the host does not support the action. */
  readonly turn?: {
    changeBase(number: number, branch: string): Later<void>;
    convertToDraft(number: number): Later<void>;
    close(number: number): Later<void>;
  };
  /**
   * Interferes with the next merge that moves the branch in one step: between the read of the branch and its move, the
   * branch is forced to this commit. Null: the branch is removed.
   */
  overtakeNextLanding(branch: string, commit: string | null): Later<void>;
  /** Names of all branches, sorted, without branches that are only heads of pull requests. */
  branches(): Later<readonly string[]>;
  /** Path and content of every file of a commit at the host. */
  files(commit: string): Later<Readonly<Record<string, string>>>;
  /** The server does not answer until `recover`: no API and no git. */
  goDown(): Later<void>;
  recover(): Later<void>;
  /**
   * Advances to the time at which a host that merges in the background wants the next request. Absent: it needs no
   * wait.
   */
  waitUntil?(time: Date): Later<void>;
  /** Runs after every test: stops the server and removes its files. */
  close(): Later<void>;
}
