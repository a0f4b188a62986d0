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

/** What was seen in one clone. Objects never change and never go, so that none needs a second process to be known. */
class CloneMemory {
  readonly commits = new BoundedMap<GitObject>(MOST_REMEMBERED);
  /** By tree: the folder of its attributes, null when none concerns merges. */
  readonly attributes = new BoundedMap<string | null>(MOST_REMEMBERED);
  /** The tree whose attributes were looked at last; the next one mostly differs from it in a few files. */
  newestTree: string | null = null;
}

/** A commit that is needed. `branch`: it is the tip of that branch, remembered as what need not be sent again. */
export interface WantedCommit {
  readonly commit: string;
  readonly branch?: string;
}

/**
 * A bare clone: a cache of objects, with no state that cannot be fetched again. It has no refs but the last tips seen
 * of branches, which spare the host from sending what is already here. Objects without a ref stay: gc is off, and `repackClone` keeps them.
 */
export class GitClone {
  private constructor(
    readonly directory: string,
    readonly git: GitCommand,
    readonly remote: GitRemote,
    readonly memory: CloneMemory,
  ) {}

  /** Made under a temporary name first: another process may make the same one at the same time. */
  static async make(directory: string, git: GitCommand): Promise<void> {
    await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
    const temporary = await mkdtemp(`${directory}.`);
    try {
      const here = git.with({ GIT_DIR: temporary });
      await here.run(['init', '--quiet', '--bare', '--template=', '--initial-branch=unused']);
      await rename(temporary, directory).catch((error: unknown) => {
        // Renaming onto a folder that is not empty: the clone is there, from before or from another process.
        if (!isTaken(error)) throw error;
      });
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  static at(directory: string, git: GitCommand, remote: GitRemote, memory: CloneMemory): GitClone {
    return new GitClone(directory, git.with({ GIT_DIR: directory }), remote, memory);
  }

  /** The objects by id or `<commit>:<path>`, null for what is not here; one process for all. */
  async read(names: readonly string[]): Promise<readonly (GitObject | null)[]> {
    if (names.length === 0) return [];
    const input = `${names.join('\n')}\n`;
    const output = await this.git.run(['cat-file', '--batch'], { input, maxOutputBytes: LARGEST_OBJECTS_BYTES });
    return parseObjects(output, names.length);
  }

  /** The commits, fetched where they are not here: null for one that the host does not have (any more) either. */
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
      // A copy: the content is a part of everything that was read with it.
      const commit = { ...object, content: Buffer.from(object.content) };
      found.set(commit.id, commit);
      this.memory.commits.set(commit.id, commit);
    }
    return names.map((name, index) => here[index] ?? found.get(name) ?? null);
  }

  /** Whether `ancestor` is in the history of `commit`; both are here. */
  async isAncestor(ancestor: string, commit: string): Promise<boolean> {
    const result = await this.git.ask(['merge-base', '--is-ancestor', ancestor, commit]);
    if (result.code > 1) throw new GitFailed('merge-base', result);
    return result.code === 0;
  }

  /** One commit that is gone fails a whole fetch: it is left out and the rest asked for again. */
  private async fetch(wanted: readonly WantedCommit[]): Promise<void> {
    let rest = await this.stillMissing(wanted);
    while (rest.length > 0) {
      const gone = await this.fetchOnce(rest);
      if (gone === null) return;
      rest = rest.filter(({ commit }) => commit !== gone);
    }
  }

  /** Whoever fetched while this one waited for its turn may have brought them. */
  private async stillMissing(wanted: readonly WantedCommit[]): Promise<readonly WantedCommit[]> {
    const here = await this.commitsHere(wanted.map(({ commit }) => commit));
    return wanted.filter((one, index) => here[index] === null && isCommitId(one.commit));
  }

  /** Null, or the commit that the host does not have. */
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
      // Two processes that remember the same tip: the objects are here, the ref is the other's.
      if ((await this.stillMissing(wanted)).length === 0) return null;
      throw new HostUnavailable(this.remote.host, 'no_answer', lastLine(result.stderr));
    } catch (error) {
      throw error instanceof GitStopped ? asUnavailable(this.remote.host, error) : error;
    }
  }
}

/** A clone per repository under one folder, made when it is first asked for. */
export class GitClones {
  private readonly memories = new Map<string, { readonly identity: string; readonly memory: CloneMemory }>();

  constructor(
    private readonly folder: string,
    readonly git: GitCommand,
  ) {}

  /** Of the clones that were asked for so far. */
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

  /** A clone that was removed and made anew holds nothing of what the old one held. */
  private memoryOf(directory: string, identity: string): CloneMemory {
    const known = this.memories.get(directory);
    if (known?.identity === identity) return known.memory;
    const memory = new CloneMemory();
    this.memories.set(directory, { identity, memory });
    return memory;
  }
}

/** Null: it is not there. Its HEAD is written once. */
async function identityOf(directory: string): Promise<string | null> {
  const head = await stat(join(directory, 'HEAD')).catch(() => null);
  return head === null ? null : `${head.ino} ${head.ctimeMs}`;
}

function isTaken(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'ENOTEMPTY' || code === 'EEXIST';
}

/** Hashed: branch `a`, gone at the host, must not stand in the way of `a/b`. */
function tipRef(branch: string): string {
  return `refs/tips/${createHash('sha1').update(branch).digest('hex')}`;
}

/** What the two protocol versions say about a commit that is not to be had. */
function goneCommit(stderr: string): string | null {
  const match = /(?:not our ref|unadvertised object|not a valid object) ([0-9a-f]{40})/.exec(stderr);
  return match?.[1] ?? null;
}
