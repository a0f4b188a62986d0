import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type HostRepository, HostUnavailable } from '../../domain/code-host.port';
import { BoundedMap } from '../bounded-map';
import { FETCH_LIMITS } from './commit-limits';
import { fetchCommits, removeFullFiles, type WantedCommit } from './fetch';
import { type GitCommand, GitFailed, type GitLimits, GitRefused } from './git-command';
import type { GitRemote } from './git-remote';
import { inTurn } from './in-turn';
import { isCommitId } from './names';
import { parseObjects, type GitObject } from './objects';

const LARGEST_OBJECTS_BYTES = 256 * 1024 * 1024;

const MOST_REMEMBERED = 2_000;
/**
 * The maximum size of a commit in memory. A message may have hundreds of megabytes, but people see only its beginning.
 */
const MOST_KEPT_BYTES = 128 * 1024;

/** Objects of one clone that were read before. No object ever changes or is removed, so each is read once. */
class CloneMemory {
  readonly commits = new BoundedMap<GitObject>(MOST_REMEMBERED);
  /** Commits that were not fetched although the host has them, with the reason. */
  readonly refused = new BoundedMap<string>(MOST_REMEMBERED);
  /** Whether the clone has the tip of a branch. */
  hasTarget = false;
  /** The folders with the attributes of trees, by tree; null if no attribute of the tree affects merges. */
  readonly attributes = new BoundedMap<string | null>(MOST_REMEMBERED);
  /** The tree whose attributes were read last. The next tree usually differs from this tree in a few files. */
  newestTree: string | null = null;
}

/**
 * A bare clone. It is a cache: all its objects can be fetched again. Its only refs are the last known tips of branches,
 * so that the host sends only newer objects. Objects without a ref stay: gc is off and `repackClone` keeps them.
 */
export class GitClone {
  private constructor(
    readonly directory: string,
    readonly git: GitCommand,
    readonly remote: GitRemote,
    readonly memory: CloneMemory,
  ) {}

  /** Creates a clone under a temporary name first: another process may create it at the same time. */
  static async make(directory: string, git: GitCommand): Promise<void> {
    await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
    const temporary = await mkdtemp(`${directory}.`);
    try {
      const here = git.with({ GIT_DIR: temporary });
      await here.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=unused']);
      await rename(temporary, directory).catch((error: unknown) => {
        // The folder is not empty because the clone exists: another process may have made it a moment ago.
        if (!isTaken(error)) throw error;
      });
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  static at(directory: string, git: GitCommand, remote: GitRemote, memory: CloneMemory): GitClone {
    return new GitClone(directory, git.with({ GIT_DIR: directory }), remote, memory);
  }

  /** Reads objects by id or `<commit>:<path>`, with one process. Null for an object that the clone does not have. */
  async read(names: readonly string[]): Promise<readonly (GitObject | null)[]> {
    if (names.length === 0) return [];
    const input = `${names.join('\n')}\n`;
    const output = await this.git.run(['cat-file', '--batch'], { input, maxOutputBytes: LARGEST_OBJECTS_BYTES });
    return parseObjects(output, names.length);
  }

  /** Reads commits, and fetches missing commits. The result is null for a commit that the host does not have. */
  async commits(wanted: readonly WantedCommit[]): Promise<readonly (GitObject | null)[]> {
    const names = wanted.map(({ commit }) => commit);
    const here = await this.commitsHere(names);
    const missing = wanted.filter((_, index) => here[index] === null);
    if (wanted.some(({ branch }, index) => branch !== undefined && here[index] !== null)) this.memory.hasTarget = true;
    if (missing.length === 0) return here;
    await inTurn(this.directory, () => this.fetch(missing));
    return this.commitsHere(names);
  }

  private async commitsHere(names: readonly string[]): Promise<readonly (GitObject | null)[]> {
    const here = names.map((name) => this.memory.commits.get(name) ?? null);
    const unknown = names.filter((_, index) => here[index] === null);
    const found = new Map<string, GitObject>();
    for (const object of await this.readEach(unknown)) {
      if (object?.type !== 'commit') continue;
      // A copy, because a slice would keep the whole output in memory.
      const commit = { ...object, content: Buffer.from(object.content.subarray(0, MOST_KEPT_BYTES)) };
      found.set(commit.id, commit);
      this.memory.commits.set(commit.id, commit);
    }
    return names.map((name, index) => here[index] ?? found.get(name) ?? null);
  }

  /** Reads each object. An object of hundreds of megabytes is no usable commit and counts as missing. */
  private async readEach(names: readonly string[]): Promise<readonly (GitObject | null)[]> {
    try {
      return await this.read(names);
    } catch (error) {
      if (!(error instanceof GitRefused)) throw error;
      if (names.length <= 1) return [];
      return (await Promise.all(names.map((name) => this.readEach([name])))).flat();
    }
  }

  /** Why the commit of a pull request is too large to be fetched; null if it is not too large. */
  whyNotFetched(commit: string): string | null {
    return this.memory.refused.get(commit) ?? null;
  }

  /** Whether `ancestor` is in the history of `commit`. The clone must have both commits. */
  async isAncestor(ancestor: string, commit: string): Promise<boolean> {
    const result = await this.git.ask(['merge-base', '--is-ancestor', ancestor, commit]);
    if (result.code > 1) throw new GitFailed('merge-base', result);
    return result.code === 0;
  }

  /**
   * Fetches tips of branches first, so that the host need not send the history that pull requests share with them.
   * While this fetch waited, another fetch may have brought some commits. Such commits are requested all the same,
   * because git sees that the clone has them and does not call the host.
   */
  private async fetch(wanted: readonly WantedCommit[]): Promise<void> {
    const rest = wanted.filter(({ commit }) => isCommitId(commit) && this.whyNotFetched(commit) === null);
    await this.fetchAll(rest.filter(({ branch }) => branch !== undefined));
    if (wanted.some(({ branch }) => branch !== undefined)) this.memory.hasTarget = true;
    await this.fetchWithinLimits(rest.filter(({ branch }) => branch === undefined));
  }

  /** Without a branch in the clone, the host has to send the whole history, and no limits can apply. */
  private async fetchWithinLimits(wanted: readonly WantedCommit[]): Promise<void> {
    try {
      await this.fetchAll(wanted, this.memory.hasTarget ? FETCH_LIMITS : undefined);
    } catch (error) {
      if (!(error instanceof GitRefused)) throw error;
      await removeFullFiles(this.directory, FETCH_LIMITS);
      const [only, ...others] = wanted;
      if (only !== undefined && others.length === 0) this.memory.refused.set(only.commit, error.message);
      else for (const one of wanted) await this.fetchWithinLimits([one]);
    }
  }

  /** A commit that the host lacks makes the fetch fail. In that case, the other commits are fetched without it. */
  private async fetchAll(wanted: readonly WantedCommit[], limits?: GitLimits): Promise<void> {
    let rest = wanted;
    while (rest.length > 0) {
      const answer = await fetchCommits(this.remote, this.directory, rest, limits);
      if (answer.type === 'fetched') return;
      if (answer.type === 'shallow') return this.refuseShallow();
      // The request failed because another process wrote the same ref at the same time, but the clone has the objects.
      if (answer.type === 'failed' && (await this.areHere(rest))) return;
      if (answer.type === 'failed') throw new HostUnavailable(this.remote.host, 'no_answer', answer.why);
      rest = rest.filter(({ commit }) => commit !== answer.commit);
    }
  }

  /** Also removes the clone, because it has commits without a history, which no later fetch would bring. */
  private async refuseShallow(): Promise<never> {
    await rm(this.directory, { recursive: true, force: true });
    const why = 'its repository is a shallow clone, without its history: run `git fetch --unshallow` in it';
    throw new HostUnavailable(this.remote.host, 'no_access', why);
  }

  private async areHere(wanted: readonly WantedCommit[]): Promise<boolean> {
    const here = await this.commitsHere(wanted.map(({ commit }) => commit));
    return !here.includes(null);
  }
}

/**
 * What the folder of a clone is named after. `row`: the id of the service's own row, for hosts whose rows follow a
 * renamed repository. Another repository may later get the old name, but its objects belong in another clone.
 */
export type CloneNaming = 'name' | 'row';

/** The clones in one folder, one for each repository. Each clone is created on first use. */
export class GitClones {
  private readonly memories = new Map<string, { readonly identity: string; readonly memory: CloneMemory }>();

  constructor(
    private readonly folder: string,
    readonly git: GitCommand,
    private readonly naming: CloneNaming = 'name',
  ) {}

  /** The folders of the clones that were used since the start of the service. */
  directories(): readonly string[] {
    return [...this.memories.keys()];
  }

  async of(remote: GitRemote, repository: HostRepository): Promise<GitClone> {
    const directory = this.directoryOf(remote, repository, this.naming);
    let identity = await identityOf(directory);
    if (identity === null) {
      await inTurn(directory, () => this.make(directory, this.directoryOf(remote, repository, 'name')));
      identity = await identityOf(directory);
    }
    if (identity === null) throw new Error(`The clone ${directory} cannot be read`);
    return GitClone.at(directory, this.git, remote, this.memoryOf(directory, identity));
  }

  /** The folder of a repository's clone. The path is unambiguous, because the owner part of a name has no dot. */
  private directoryOf({ host }: GitRemote, { id, owner, name }: HostRepository, naming: CloneNaming): string {
    const folder = join(this.folder, encodeURIComponent(host));
    return naming === 'row' ? join(folder, `${id}.git`) : join(folder, owner, `${name}.git`);
  }

  /** Makes the clone, or renames the folder of an earlier version, which named every clone after its repository. */
  private async make(directory: string, earlier: string): Promise<void> {
    if (directory === earlier || !(await isRenamed(earlier, directory))) await GitClone.make(directory, this.git);
  }

  /** The memory of a clone. A clone that was removed and created again is empty, so it gets a new memory. */
  private memoryOf(directory: string, identity: string): CloneMemory {
    const known = this.memories.get(directory);
    if (known?.identity === identity) return known.memory;
    const memory = new CloneMemory();
    this.memories.set(directory, { identity, memory });
    return memory;
  }
}

/**
 * A text that differs for each clone in a folder: the content of its HEAD, which is written once. Null if there is no
 * clone.
 */
async function identityOf(directory: string): Promise<string | null> {
  const head = await stat(join(directory, 'HEAD')).catch(() => null);
  return head === null ? null : `${head.ino} ${head.ctimeMs}`;
}

function isTaken(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'ENOTEMPTY' || code === 'EEXIST';
}

/** Renames a folder. Returns false if there is nothing to rename, or another process has just made the clone. */
async function isRenamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isTaken(error) || (error as { code?: unknown }).code === 'ENOENT') return false;
    throw error;
  }
}
