import type { CodeHost, HostRepository } from '../../domain/code-host.port';

/** New content of files by path; null removes a file. */
export type ContractChanges = Readonly<Record<string, string | null>>;

export type Later<T> = T | Promise<T>;

/**
 * The author of an adapter provides a world: the host under test, made as the service makes it, and the actions of
 * people at its server. The actions do not use `host`. The server is a mock, or a real server with a spare repository.
 */
export interface HostWorld {
  readonly host: CodeHost;
  /**
   * A repository whose `main` has one commit, with the file `README.md` and its line `hello`. The repository has no
   * pull requests. Owner and name contain a letter.
   */
  readonly repository: HostRepository;
  /**
   * Opens a pull request into `main` with exactly this number and the title `Change <number>`. It has one commit with
   * the changes, on top of `from` or of the current tip of `main`. Returns the commit id of the head. If the host
   * assigns its own numbers, the world maps them.
   */
  openPullRequest(number: number, changes: ContractChanges, from?: string): Later<string>;
  /**
   * Opens a pull request into `main` that the host can read, but from which no candidate can be built: for example, git
   * cannot check out its files. Returns the head. Absent: the host has no pull requests of this kind.
   */
  openUnbuildablePullRequest?(number: number): Later<string>;
  /** Pushes a further commit to the pull request; returns the new head. */
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
  /** Further actions of people at an open pull request. An absent action is one that the host does not support. */
  readonly turn?: {
    changeBase(number: number, branch: string): Later<void>;
    convertToDraft(number: number): Later<void>;
    close(number: number): Later<void>;
  };
  /**
   * Interferes with the next merge that moves the branch in one step: after the host has read the branch and before it
   * moves the branch, the branch is forced to this commit. Null: the branch is removed.
   */
  overtakeNextLanding(branch: string, commit: string | null): Later<void>;
  /** Names of all branches, sorted, without branches that are only heads of pull requests. */
  branches(): Later<readonly string[]>;
  /** The content of every file of a commit at the host, by path. */
  files(commit: string): Later<Readonly<Record<string, string>>>;
  /** The server answers neither API requests nor git until `recover`. */
  goDown(): Later<void>;
  recover(): Later<void>;
  /**
   * Advances to the time at which a host that merges in the background wants the next request. Absent: the host needs
   * no wait.
   */
  waitUntil?(time: Date): Later<void>;
  /** Runs after every test: stops the server and removes its files. */
  close(): Later<void>;
}
