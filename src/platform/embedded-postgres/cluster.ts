import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StartRefused } from '../errors/start-refused';
import { markNewDataDirectory } from '../config/listen-address';
import type { ServerBinaries } from './binaries';
import { canReach, type ServerUser } from './server-user';

export const SUPERUSER = 'postgres';

/**
 * Makes PostgreSQL's data folder unless it exists, and returns the superuser's password. A process that is killed
 * meanwhile leaves a draft, never half a cluster.
 */
export async function prepareCluster(
  dataDirectory: string,
  binaries: ServerBinaries,
  user: ServerUser | undefined,
): Promise<string> {
  const password = readOrCreatePassword(`${dataDirectory}.password`);
  if (existsSync(dataDirectory)) {
    if (process.platform !== 'win32') chmodSync(dataDirectory, 0o700);
    return password;
  }
  const draft = `${dataDirectory}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  if (user) chownSync(draft, user.uid, user.gid);
  refuseUnreachable(draft, user);
  if (user === undefined) refuseNameless();
  await initialise(draft, password, binaries, user);
  markNewDataDirectory(dirname(dataDirectory));
  renameSync(draft, dataDirectory);
  return password;
}

/** Options for starting PostgreSQL's programs. The user of the programs must be able to enter the working directory. */
export function programOptions(user: ServerUser | undefined): {
  cwd: string;
  env: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
} {
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  return { ...identity, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' } };
}

function refuseUnreachable(path: string, user: ServerUser | undefined): void {
  if (user === undefined || canReach(path, user)) return;
  throw new StartRefused(
    `${dirname(path)} cannot be reached by the user ${user.name}; PostgreSQL runs as that user because it refuses root. Set SLUICE_DATA_DIR to a folder outside a private home, or set DATABASE_URL.`,
  );
}

/** initdb looks up the user under which it runs. This fails in containers that run under an arbitrary user id. */
function refuseNameless(): void {
  try {
    userInfo();
  } catch {
    throw new StartRefused(
      `PostgreSQL cannot be set up by the user ${process.getuid?.()}, who has no name on this machine. Add the user to /etc/passwd, or set DATABASE_URL.`,
    );
  }
}

async function initialise(
  folder: string,
  password: string,
  binaries: ServerBinaries,
  user: ServerUser | undefined,
): Promise<void> {
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const authentication = ['-U', SUPERUSER, '-A', 'scram-sha-256', '--pwfile', passwordFile];
  const format = ['-E', 'UTF8', '--locale=C', '--no-instructions'];
  try {
    await promisify(execFile)(binaries.initdb, ['-D', folder, ...authentication, ...format], programOptions(user));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new StartRefused(`initdb failed: ${(error as { stderr?: string }).stderr || String(error)}`, {
      cause: error,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** The password is written before the cluster is made, so that a cluster always has one. */
function readOrCreatePassword(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const password = randomBytes(24).toString('base64url');
  writeFileSync(`${file}.new`, password, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return password;
}
