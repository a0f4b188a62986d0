import { childEnvironment } from '../../../platform/config/child-environment';
import { type CheckFolder, findOrphans, makeCheckFolder, processOf, removeFolder } from './check-folder';
import { type CheckLimits, shellWithin } from './check-limits';
import { endProcessesOf, newUser, processesOf, removeTracesOf } from './check-users';
import { inNamespaces, VIEW_FOLDERS, type View } from './namespaces';
import { descendantsOf, endProcessesNaming, type SeenProcess } from './processes';
import type { User, UserRange } from './user-ranges';

/** How checks are separated from the service, from each other, and from other repositories. */
export type Confinement =
  /** Each check runs as its own user. For services that run as root. */
  | { readonly type: 'own users'; readonly range: UserRange }
  /** Each check has its own process namespace, and sees few files. For services that do not run as root. */
  | { readonly type: 'namespaces'; readonly view: View }
  /** Checks can do everything that the service can do. */
  | { readonly type: 'none' };

/** The program and the environment that start a check. */
export interface CheckProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The user that runs the check; null if it is the user of the service. */
  readonly user: User | null;
}

export async function makeFolderFor(confinement: Confinement, within?: string): Promise<CheckFolder> {
  return makeCheckFolder(confinement.type === 'own users' ? await newUser(confinement.range) : null, within);
}

export function programFor(
  confinement: Confinement,
  folder: CheckFolder,
  command: string,
  limits: CheckLimits,
): CheckProgram {
  const { root, checkout, home, temporary, user } = folder;
  const shell = shellWithin(limits, command);
  if (confinement.type === 'namespaces') {
    const [file = '', ...args] = inNamespaces(folder, confinement.view, shell);
    return { file, args, cwd: root, env: environmentOf(VIEW_FOLDERS), user: null };
  }
  const [file = '', ...args] = shell;
  return { file, args, cwd: checkout, env: environmentOf({ home, temporary }), user };
}

/** All processes of a running check; `pid`: its first process. */
export function processesOfCheck(
  folder: CheckFolder,
  pid: number,
  seen: readonly SeenProcess[],
): readonly SeenProcess[] {
  return folder.user === null ? descendantsOf(pid, seen) : processesOf(folder.user.uid, seen);
}

/**
 * Ends all processes of a check and then removes its files, so that a later service finds the folder as long as a
 * process of the check runs. Throws if something is left.
 */
export async function clearAway(folder: CheckFolder): Promise<void> {
  await endAllOf(folder);
  if (folder.user !== null) await removeTracesOf(folder.user.uid);
  await removeFolder(folder.root);
}

/**
 * Ends all processes of a check. If the check has no user of its own and no namespace, a process can escape by leaving
 * its group and changing its environment.
 */
export async function endAllOf({ root, user }: CheckFolder): Promise<void> {
  const first = await processOf(root);
  if (first !== null) killGroup(first);
  const ended = user === null ? await endProcessesNaming(root) : await endProcessesOf(user.uid);
  if (ended === 'left') {
    throw new Error(
      `A process of the check in ${root} cannot be killed: its user is ${user?.uid ?? 'the user of the service'}`,
    );
  }
}

/**
 * Ends the checks of killed services, removes the folders of these checks, and returns the paths of the folders. Throws
 * only after all folders were tried.
 */
export async function clearOrphans(within?: string): Promise<readonly string[]> {
  const removed = [];
  const failures = [];
  for (const folder of await findOrphans(within)) {
    try {
      await clearAway(folder);
      removed.push(folder.root);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `Cannot remove ${failures.map(String).join(', ')}`);
  return removed;
}

export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the check is left.
  }
}

/** The environment of a check. It has no other variables of the service, such as its ssh agent or its folders. */
function environmentOf({ home, temporary }: { readonly home: string; readonly temporary: string }) {
  return { PATH: childEnvironment().PATH ?? '/usr/bin:/bin', HOME: home, TMPDIR: temporary, CI: 'true' };
}
