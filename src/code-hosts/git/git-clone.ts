import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import { HostUnavailable } from '../../domain/code-host.port';
import { BoundedMap } from '../bounded-map';
import { GitFailed, GitStopped, lastLine, type GitCommand } from './git-command';
import { asUnavailable, type GitRemote } from './git-remote';
import { inTurn } from './in-turn';
import { isCommitId } from './names';
import { parseObjects, type GitObject } from './objects';

const FETCH_LIMIT_MS = 15 * 60_000;
const LARGEST_OBJECTS_BYTES = 256 * 1024 * 1024;

const MOST_REMEMBERED = 2_000;

/** Objects of one clone that were read already. Objects never change and are never removed, so one process each is enough. */
class CloneMemory {
  readonly commits = new BoundedMap<GitObject>(MOST_REMEMBERED);
  /** By tree: the folder with its attributes. Null: none of them affects merges. */
  readonly attributes = new BoundedMap<string | null>(MOST_REMEMBERED);
  /** The tree whose attributes were read last. The next tree mostly differs from it in a few files. */
  newestTree: string | null = null;
}

/** A commit that is needed. `branch`: the branch whose tip it is. The clone keeps a ref to it, so later fetches are small. */
export interface WantedCommit {
  readonly commit: string;
  readonly branch?: string;
}

/**
 * A bare clone: a cache of objects, all of which can be fetched again. Its only refs are the last known tips of branches,
 * which tell the host what it need not send. Objects without a ref stay: gc is off, and `repackClone` keeps them.
 */
export class GitClone {
  private constructor(
    readonly directory: string,
    readonly git: GitCommand,
    readonly remote: GitRemote,
    readonly memory: CloneMemory,
  ) {}

  /** Creates it under a temporary name first, because another process may create the same clone at the same time. */
  static async make(directory: string, git: GitCommand): Promise<void> {
    await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
    const temporary = await mkdtemp(`${directory}.`);
    try {
      const here = git.with({ GIT_DIR: temporary });
      await here.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=unused']);
      await rename(temporary, directory).catch((error: unknown) => {
        // The folder is not empty: the clone exists already, perhaps made by another process just now.
        if (!isTaken(error)) throw error;
      });
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  static at(directory: string, git: GitCommand, remote: GitRemote, memory: CloneMemory): GitClone {
    return new GitClone(directory, git.with({ GIT_DIR: directory }), remote, memory);
  }

  /** The objects by id or `<commit>:<path>`, read by one process. Null: the clone does not have it. */
  async read(names: readonly string[]): Promise<readonly (GitObject | null)[]> {
    if (names.length === 0) return [];
    const input = `${names.join('\n')}\n`;
    const output = await this.git.run(['cat-file', '--batch'], { input, maxOutputBytes: LARGEST_OBJECTS_BYTES });
    return parseObjects(output, names.length);
  }

  /** The commits. Those that the clone does not have are fetched. Null: the host does not have it either. */
  async commits(wanted: readonly WantedCommit[]): Promise<readonly (GitObject | null)[]> {
    const names = wanted.map(({ commit }) => commit);
    const here = await this.commitsHere(names);
    const missing = wanted.filter((_, index) => here[index] === null);
    if (missing.length === 0) return here;
    await inTurn(this.directory, () => this.fetch(missing));
    return this.commitsHere(names);
  }

  private async commitsHere(names: readonly string[]): Promise<readonly (GitObject | null)[]> {
    const here = names.map((name) => this.memory.commits.get(name) ?? null);
    const unknown = names.filter((_, index) => here[index] === null);
    const found = new Map<string, GitObject>();
    for (const object of await this.read(unknown)) {
      if (object?.type !== 'commit') continue;
      // A copy, because the content is a slice of the whole output and would keep all of it in memory.
      const commit = { ...object, content: Buffer.from(object.content) };
      found.set(commit.id, commit);
      this.memory.commits.set(commit.id, commit);
    }
    return names.map((name, index) => here[index] ?? found.get(name) ?? null);
  }

  /** Whether `ancestor` is in the history of `commit`. The clone must have both. */
  async isAncestor(ancestor: string, commit: string): Promise<boolean> {
    const result = await this.git.ask(['merge-base', '--is-ancestor', ancestor, commit]);
    if (result.code > 1) throw new GitFailed('merge-base', result);
    return result.code === 0;
  }

  /** A missing commit makes the whole fetch fail. Then the others are fetched without it. */
  private async fetch(wanted: readonly WantedCommit[]): Promise<void> {
    let rest = await this.stillMissing(wanted);
    while (rest.length > 0) {
      const gone = await this.fetchOnce(rest);
      if (gone === null) return;
      rest = rest.filter(({ commit }) => commit !== gone);
    }
  }

  /** Another fetch may have brought them while this one waited for its turn. */
  private async stillMissing(wanted: readonly WantedCommit[]): Promise<readonly WantedCommit[]> {
    const here = await this.commitsHere(wanted.map(({ commit }) => commit));
    return wanted.filter((one, index) => here[index] === null && isCommitId(one.commit));
  }

  /** Returns the commit that the host does not have, or null when all were fetched. */
  private async fetchOnce(wanted: readonly WantedCommit[]): Promise<string | null> {
    const specs = wanted.map(({ commit, branch }) => (branch === undefined ? commit : `+${commit}:${tipRef(branch)}`));
    const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-gc', '--no-recurse-submodules'];
    try {
      const git = this.remote.git.with({ GIT_DIR: this.directory });
      const call = { limitMs: FETCH_LIMIT_MS };
      const result = await git.ask([...args, '--end-of-options', this.remote.url, ...specs], call);
      if (result.code === 0) return null;
      const gone = goneCommit(result.stderr);
      if (gone !== null && wanted.some(({ commit }) => commit === gone)) return gone;
      // Another process wrote the same ref at the same time. The objects are here all the same.
      if ((await this.stillMissing(wanted)).length === 0) return null;
      throw new HostUnavailable(this.remote.host, 'no_answer', lastLine(result.stderr));
    } catch (error) {
      throw error instanceof GitStopped ? asUnavailable(this.remote.host, error) : error;
    }
  }
}

/** A clone per repository under one folder. Each is created when it is first needed. */
export class GitClones {
  private readonly memories = new Map<string, { readonly identity: string; readonly memory: CloneMemory }>();

  constructor(
    private readonly folder: string,
    readonly git: GitCommand,
  ) {}

  /** The folders of the clones that were used since the start. */
  directories(): readonly string[] {
    return [...this.memories.keys()];
  }

  async of(remote: GitRemote, owner: string, name: string): Promise<GitClone> {
    const directory = join(this.folder, encodeURIComponent(remote.host), owner, `${name}.git`);
    let identity = await identityOf(directory);
    if (identity === null) {
      await inTurn(directory, () => GitClone.make(directory, this.git));
      identity = await identityOf(directory);
    }
    if (identity === null) throw new Error(`The clone ${directory} cannot be read`);
    return GitClone.at(directory, this.git, remote, this.memoryOf(directory, identity));
  }

  /** A clone that was removed and created again is empty, so what is remembered of the old one no longer holds. */
  private memoryOf(directory: string, identity: string): CloneMemory {
    const known = this.memories.get(directory);
    if (known?.identity === identity) return known.memory;
    const memory = new CloneMemory();
    this.memories.set(directory, { identity, memory });
    return memory;
  }
}

/** Tells a clone from an earlier one in the same folder by its HEAD, which is written once. Null: there is no clone. */
async function identityOf(directory: string): Promise<string | null> {
  const head = await stat(join(directory, 'HEAD')).catch(() => null);
  return head === null ? null : `${head.ino} ${head.ctimeMs}`;
}

function isTaken(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'ENOTEMPTY' || code === 'EEXIST';
}

/** Hashed, because a ref `a` would prevent a ref `a/b`, even when the host no longer has branch `a`. */
function tipRef(branch: string): string {
  return `refs/tips/${createHash('sha1').update(branch).digest('hex')}`;
}

/** The commit that the host does not have, from the messages of both protocol versions. */
function goneCommit(stderr: string): string | null {
  const match = /(?:not our ref|unadvertised object|not a valid object) ([0-9a-f]{40})/.exec(stderr);
  return match?.[1] ?? null;
}
