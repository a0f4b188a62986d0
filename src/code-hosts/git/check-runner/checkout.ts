import { readFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GitClone } from '../git-clone';
import { makeCheckFolder, removeFolder } from './check-folder';

const NOBODY = 65_534;

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The files of one commit in a private folder, without `.git`, beside an empty home. */
export interface Checkout {
  /** Contains the other two. The command cannot write here. */
  readonly root: string;
  readonly folder: string;
  readonly home: string;
  remove(): Promise<void>;
}

/** `user` becomes the owner of the folder and the home. Null: the service stays the owner. */
export async function checkOut(clone: GitClone, commit: string, user: User | null): Promise<Checkout> {
  const { root, checkout: folder, home } = await makeCheckFolder(user);
  const remove = () => removeFolder(root);
  try {
    const env = { GIT_WORK_TREE: folder, GIT_INDEX_FILE: join(root, 'index') };
    await clone.git.run(['read-tree', commit], { env, cwd: folder });
    await clone.git.run(['checkout-index', '--all', '--quiet'], { env, cwd: folder });
    if (user !== null) {
      await promisify(execFile)('chown', ['-R', '-h', `${user.uid}:${user.gid}`, folder, home]);
    }
    return { root, folder, home, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A service that runs as root runs commands of pull requests as `nobody`. Null: as the user of the service. */
export async function userForChecks(): Promise<User | null> {
  if (process.getuid?.() !== 0) return null;
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return { uid: Number(uid ?? NOBODY), gid: Number(gid ?? NOBODY) };
}
