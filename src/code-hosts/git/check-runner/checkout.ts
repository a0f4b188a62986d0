import { join } from 'node:path';
import type { GitClone } from '../git-clone';
import { CHECKOUT_CALL } from '../commit-limits';
import { GitFailed, GitRefused } from '../git-command';
import { type CheckFolder, giveAway } from './check-folder';

/** Matches messages of git that are about the machine or the clone, and not about the commit. */
const OF_THE_MACHINE =
  /No space left on device|Disk quota exceeded|Input\/output error|Read-only file system|Permission denied|Too many open files|Resource temporarily unavailable|unable to read (sha1 file|tree)|failed to unpack tree object|not a valid object name/i;

/** `refused`: git cannot check out this commit, and a retry will not help. `why`: git's own text. */
export type CheckoutOutcome = { readonly type: 'checked_out' } | { readonly type: 'refused'; readonly why: string };

/**
 * Writes the files of one commit, without `.git`, and gives the folder to the user of the check. Throws for temporary
 * errors.
 */
export async function checkOut(clone: GitClone, commit: string, folder: CheckFolder): Promise<CheckoutOutcome> {
  const env = { GIT_WORK_TREE: folder.checkout, GIT_INDEX_FILE: join(folder.root, 'index') };
  const call = { ...CHECKOUT_CALL, env, cwd: folder.checkout };
  try {
    await clone.git.run(['read-tree', commit], call);
    await clone.git.run(['checkout-index', '--all', '--quiet'], call);
  } catch (error) {
    const why = refusalOf(error);
    if (why === null) throw error;
    return { type: 'refused', why };
  }
  await giveAway(folder);
  return { type: 'checked_out' };
}

/** Why git cannot check out the commit; null if the error says nothing about the commit. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof GitRefused) return error.message;
  if (!(error instanceof GitFailed) || OF_THE_MACHINE.test(error.result.stderr)) return null;
  return error.message;
}
