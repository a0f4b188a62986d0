import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GitFailed, type GitLimits, GitRefused, GitStopped, lastLine, saysDiskIsFull } from './git-command';
import { asUnavailable, type GitRemote } from './git-remote';

const LIMIT_MS = 15 * 60_000;
const MIB = 1024 * 1024;

/**
 * A needed commit. `branch`: the branch whose tip is the commit. With `branch`, the clone keeps a ref to the commit as
 * the tip of that branch, so later fetches are small.
 */
export interface WantedCommit {
  readonly commit: string;
  readonly branch?: string;
}

export type FetchAnswer =
  | { readonly type: 'fetched' }
  /** The host does not have this commit, and no commit was fetched. */
  | { readonly type: 'gone'; readonly commit: string }
  /** The host's repository is a shallow clone, so the fetched commits have no history. */
  | { readonly type: 'shallow' }
  | { readonly type: 'failed'; readonly why: string };

/**
 * Fetches commits. Throws GitRefused if a limit is exceeded or the host's own objects are damaged, HostUnavailable if
 * the fetch takes too long, and GitFailed if the local disk is full.
 */
export async function fetchCommits(
  { host, url, git }: GitRemote,
  directory: string,
  wanted: readonly WantedCommit[],
  limits?: GitLimits,
): Promise<FetchAnswer> {
  const specs = wanted.map(({ commit, branch }) => (branch === undefined ? commit : `+${commit}:${tipRef(branch)}`));
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-gc', '--no-recurse-submodules'];
  try {
    const here = git.with({ GIT_DIR: directory });
    const result = await here.ask([...args, '--end-of-options', url, ...specs], { limitMs: LIMIT_MS, limits });
    if (/shallow roots are not allowed/.test(result.stderr)) return { type: 'shallow' };
    if (result.code === 0) return { type: 'fetched' };
    const gone = goneCommit(result.stderr);
    if (gone !== null && wanted.some(({ commit }) => commit === gone)) return { type: 'gone', commit: gone };
    if (limits !== undefined && /possible repository corruption on the remote side/.test(result.stderr))
      throw new GitRefused(`${host} cannot send it, because objects are missing or damaged there`);
    if (saysDiskIsFull(result.stderr)) throw new GitFailed('fetch', result);
    return { type: 'failed', why: lastLine(result.stderr) };
  } catch (error) {
    throw error instanceof GitStopped ? asUnavailable(host, error) : error;
  }
}

/** Removes the files of processes that were killed at the file limit, which they leave behind. */
export async function removeFullFiles(directory: string, { fileMiB }: GitLimits): Promise<void> {
  const folder = join(directory, 'objects');
  const names = await readdir(folder, { recursive: true });
  for (const path of names.filter((name) => /(^|\/)tmp_(pack|obj)_/.test(name)).map((name) => join(folder, name))) {
    const found = await stat(path).catch(() => null);
    if (found !== null && found.size >= fileMiB * MIB) await rm(path, { force: true });
  }
}

/**
 * The clone's ref for the tip of a branch. The name is hashed, because a ref `a` would prevent a ref `a/b`, even if the
 * host no longer has branch `a`.
 */
function tipRef(branch: string): string {
  return `refs/tips/${createHash('sha1').update(branch).digest('hex')}`;
}

/** The commit that the host does not have, from the messages of both protocol versions. */
function goneCommit(stderr: string): string | null {
  const match = /(?:not our ref|unadvertised object|not a valid object) ([0-9a-f]{40})/.exec(stderr);
  return match?.[1] ?? null;
}
