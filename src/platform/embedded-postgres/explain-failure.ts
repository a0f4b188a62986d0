import { explainUnwritable } from '../config/data-directory';
import { StartRefused } from '../errors/start-refused';

/** The names of PostgreSQL's segments in /dev/shm. */
const SHARED_MEMORY = /could not (?:resize|open|create) shared memory segment "\/PostgreSQL/;
const FULL_DISK = /No space left on device|Disk quota exceeded/;
const FULL_DISK_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/**
 * StartRefused when the machine is the reason why the embedded PostgreSQL does not start, otherwise the error itself.
 */
export function explainFailure(error: unknown, dataDirectory: string): unknown {
  const { code, message = '' } = error as NodeJS.ErrnoException;
  if (SHARED_MEMORY.test(message)) {
    return new StartRefused(
      'The embedded PostgreSQL has too little shared memory: /dev/shm is too small.\nMake /dev/shm larger (docker run --shm-size=256m), or set DATABASE_URL.',
    );
  }
  if (FULL_DISK_CODES.includes(code) || FULL_DISK.test(message)) {
    return new StartRefused(
      `The disk is full: the embedded PostgreSQL cannot write its data.\nFree space for ${dataDirectory} (a new database needs 100 MB), or set SLUICE_DATA_DIR to a folder on another disk.`,
    );
  }
  return explainUnwritable(error, dataDirectory);
}
