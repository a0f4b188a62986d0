import { mergeTrees } from './commit-objects';
import { QUICK_MERGE_CALL } from './commit-limits';
import type { GitClone } from './git-clone';
import { GitFailed, GitRefused } from './git-command';
import { attributesOf } from './merge-attributes';
import { treeOf, type GitObject } from './objects';

/**
 * Whether the head merges onto the tip without a conflict. If git cannot tell in a short time, the result is true,
 * because the build of the test run decides then and fails the entry with the reason.
 */
export async function mergesCleanly(clone: GitClone, tip: GitObject, head: string): Promise<boolean> {
  const attributes = await attributesOf(clone, treeOf(tip));
  try {
    return (await mergeTrees(clone, tip.id, head, attributes, QUICK_MERGE_CALL)).type === 'merged';
  } catch (error) {
    if (error instanceof GitRefused || error instanceof GitFailed) return true;
    throw error;
  }
}
