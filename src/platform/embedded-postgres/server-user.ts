import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartRefused } from '../errors/start-refused';

export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user for PostgreSQL when this process is root, because PostgreSQL refuses root. The user must be in the passwd
 * file, because initdb looks it up. Undefined: PostgreSQL runs as our own user.
 */
export function chooseServerUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const user = users.find((fields) => fields[0] === name);
    if (user) return { name, uid: Number(user[2]), gid: Number(user[3]) };
  }
  throw new StartRefused(
    'PostgreSQL refuses to run as root, and there is neither a user "postgres" nor "nobody". Set DATABASE_URL, or start the service as an ordinary user.',
  );
}

/** Whether the user may enter the path and every folder above it. */
export function canReach(path: string, user: ServerUser): boolean {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const { uid, gid, mode } = statSync(folder);
    const searchable = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & searchable) === 0) return false;
  }
  return true;
}
