import type { AboveMergedQuestion, MergedBelow } from '../../domain/code-host.port';
import { type MemoryCommit, type MemoryObjects, mergeFiles } from './memory-objects';
import type { MemoryRepository } from './memory-repository';

/**
 * The commit onto which a pull request is merged if the pull requests below it have landed by squash or rebase. Built
 * like the ground of the git host.
 */
export function memoryGround(
  objects: MemoryObjects,
  tip: MemoryCommit,
  mergedBelow: readonly MergedBelow[],
): MemoryCommit {
  const counting = mergedBelow.filter(
    ({ commit, landed }) => objects.find(commit) !== undefined && !wasReverted(objects, tip, landed),
  );
  if (counting.length === 0) return tip;
  const parents = [tip.id, ...counting.map(({ commit }) => commit)];
  return objects.write({ ...tip, parents, author: 'graft', message: 'graft' });
}

function wasReverted(objects: MemoryObjects, tip: MemoryCommit, landed: MergedBelow['landed']): boolean {
  const [before, after] = [objects.find(landed?.below ?? ''), objects.find(landed?.commit ?? '')];
  if (before === undefined || after === undefined) return false;
  const without = mergeFiles(after.files, tip.files, before.files);
  return without.type === 'merged' && objects.treeOf(without.files) === tip.tree;
}

export function examineInMemory(
  { objects, branches }: MemoryRepository,
  { head, targetBranch, mergedBelow }: AboveMergedQuestion,
): 'merges' | 'conflicts' | 'unknown' {
  const [tip, commit] = [objects.find(branches.get(targetBranch) ?? ''), objects.find(head)];
  if (tip === undefined || commit === undefined) return 'unknown';
  return objects.merge(memoryGround(objects, tip, mergedBelow), commit).type === 'merged' ? 'merges' : 'conflicts';
}
