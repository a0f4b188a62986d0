import type { CommitsQuestion } from '../../domain/code-host.port';
import type { GitClone } from './git-clone';
import { listTips } from './git-remote';
import { isCommitId, isGitBranchName } from './names';

const LARGEST_LIST_BYTES = 256 * 1024 * 1024;
/** The maximum number of commits that are listed for a branch. Git lists so many in a tenth of a second. */
const MOST_FIRST_PARENTS = 10_000;

/**
 * The heads that are in the history of the commit. A single git process lists, for all heads, the commits that are in
 * the history of a head, but not of the commit.
 */
export async function headsContainedIn(
  clone: GitClone,
  commit: string,
  heads: readonly string[],
): Promise<readonly string[]> {
  if (!isCommitId(commit)) return [];
  const wanted = heads.filter(isCommitId);
  const [tip, ...found] = await clone.commits([commit, ...wanted].map((one) => ({ commit: one })));
  const here = wanted.filter((_, index) => found[index] != null);
  if (tip == null || here.length === 0) return [];
  const input = `^${commit}\n${here.join('\n')}\n`;
  const outside = await clone.git.run(['rev-list', '--stdin'], { input, maxOutputBytes: LARGEST_LIST_BYTES });
  const commitsOutside = new Set(outside.toString('latin1').split('\n'));
  return here.filter((head) => !commitsOutside.has(head));
}

/**
 * The branches that have had the commit as their tip. The host is asked for its present branches, so that a commit that
 * was just pushed is found. Only the latest 10,000 commits of each branch are compared.
 */
export async function branchesWith(
  clone: GitClone,
  commit: string,
  branches: readonly string[],
): Promise<readonly string[]> {
  if (!isCommitId(commit)) return [];
  const tips = await listTips(clone.remote, branches.filter(isGitBranchName));
  const commits = await clone.commits(tips.map(({ branch, commit: tip }) => ({ commit: tip, branch })));
  const found: string[] = [];
  for (const [index, { branch, commit: tip }] of tips.entries()) {
    if (commits[index] == null) continue;
    if ((await firstParentsOf(clone, tip, MOST_FIRST_PARENTS)).includes(commit)) found.push(branch);
  }
  return found;
}

/** The ids of the commits that the head has in addition to the base, the closest to the head first. */
export async function commitsBeyond(
  clone: GitClone,
  { base, head, mostCommits }: CommitsQuestion,
): Promise<readonly string[]> {
  if (!isCommitId(head)) return [];
  const known = base !== null && isCommitId(base) ? [{ commit: base }] : [];
  const [tip, from] = await clone.commits([{ commit: head }, ...known]);
  if (tip == null) return [];
  const without = from == null ? [] : [`^${from.id}`];
  const listed = await clone.git.run(['rev-list', `--max-count=${mostCommits}`, head, ...without]);
  return listed.toString('latin1').split('\n').filter(Boolean);
}

/** In a longer branch, only this number of newest commits counts. */
const MOST_BEYOND = 5_000;

/** The oldest commit that the head has in addition to the base; the head itself if there is none. */
export async function firstBeyond(clone: GitClone, base: string, head: string): Promise<string> {
  const limits = ['--topo-order', '--no-merges', `--max-count=${MOST_BEYOND}`];
  const listed = await clone.git.run(['rev-list', ...limits, head, `^${base}`]);
  return listed.toString('latin1').trim().split('\n').at(-1) || head;
}

/** The commit and its first-parent history, the newest first. The clone must have the commit. */
export async function firstParentsOf(clone: GitClone, commit: string, mostCommits: number): Promise<readonly string[]> {
  const listed = await clone.git.run(['rev-list', '--first-parent', `--max-count=${mostCommits}`, commit]);
  return listed.toString('latin1').trim().split('\n');
}

/**
 * The commit at which the head left the history of the base; null if they have no common history. The clone must have
 * both commits.
 */
export async function forkOf(clone: GitClone, base: string, head: string): Promise<string | null> {
  const fork = await clone.git.ask(['merge-base', base, head]);
  return fork.stdout.toString('latin1').trim() || null;
}

/**
 * All commits at which the head left the history of the base, but at most `most`. There are several such commits after
 * merges in both directions.
 */
export async function forksOf(
  clone: GitClone,
  base: string,
  head: string,
  most: number,
): Promise<readonly string[] | 'too_many'> {
  const listed = await clone.git.ask(['merge-base', '--all', base, head]);
  const forks = listed.stdout.toString('latin1').split('\n').filter(Boolean);
  return forks.length > most ? 'too_many' : forks;
}
