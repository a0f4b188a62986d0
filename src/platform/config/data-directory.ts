import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartRefused } from '../errors/start-refused';

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
};

/** Creates nothing. Throws StartRefused when this process cannot write to the folder. */
export function requireWritable(dataDirectory: string): void {
  try {
    // "/." fails for a file.
    accessSync(`${nearestExisting(dataDirectory)}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw explainUnwritable(error, dataDirectory);
  }
}

/** StartRefused when the error means that the folder is not writable, otherwise the error itself. */
export function explainUnwritable(error: unknown, dataDirectory: string): unknown {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  const why = WHY[code];
  if (why === undefined || syscall.startsWith('spawn')) return error;
  const user = process.getuid === undefined ? 'the user of the service' : `the user with id ${process.getuid()}`;
  return new StartRefused(
    `SLUICE_DATA_DIR cannot be written: ${why}.\nLet ${user} write to ${dataDirectory}, or set SLUICE_DATA_DIR to another folder.`,
  );
}

function nearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}
