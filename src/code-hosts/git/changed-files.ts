import type { ChangedFilesQuestion } from '../../domain/code-host.port';
import { LISTING_CALL } from './commit-limits';
import type { GitClone } from './git-clone';
import { GitRefused } from './git-command';
import { forksOf } from './history';
import { isCommitId } from './names';

const MOST_FORKS = 10;

/**
 * Compares the head with every commit at which it left the base. A single such commit is not enough: somebody could
 * arrange that the head has the same text as that commit, while the target has changed the text since.
 */
export async function listChangedFiles(
  clone: GitClone,
  { base, head, mostFiles }: ChangedFilesQuestion,
): Promise<readonly string[] | 'too_many' | 'unknown'> {
  if (!isCommitId(base) || !isCommitId(head)) return 'unknown';
  const found = await clone.commits([{ commit: base }, { commit: head }]);
  if (found.some((commit) => commit == null)) return 'unknown';
  const forks = await forksOf(clone, base, head, MOST_FORKS);
  if (forks === 'too_many') return forks;
  if (forks.length === 0) return 'unknown';
  const paths = new Set<string>();
  for (const fork of forks) {
    const changed = await changedSince(clone, fork, head);
    if (changed === null) return 'too_many';
    for (const path of changed) paths.add(path);
    if (paths.size > mostFiles) return 'too_many';
  }
  return [...paths];
}

/**
 * The paths that the head changed since a commit. Null if there are too many paths for git to list, for example because
 * a small tree contains itself many times.
 */
async function changedSince(clone: GitClone, fork: string, head: string): Promise<readonly string[] | null> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', fork, head];
  try {
    const output = await clone.git.run(args, LISTING_CALL);
    return output.toString('utf8').split('\0').filter(Boolean);
  } catch (error) {
    if (error instanceof GitRefused) return null;
    throw error;
  }
}
