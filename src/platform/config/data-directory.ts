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

/** Makes nothing. Throws StartRefused when this process cannot make or change files in the folder. */
export function requireWritable(dataDirectory: string): void {
  try {
    // "/." is refused where the path is a file.
    accessSync(`${nearestExisting(dataDirectory)}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw explainUnwritable(error, dataDirectory);
  }
}

/** StartRefused when the error says that the folder cannot be written, otherwise the error itself. */
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
