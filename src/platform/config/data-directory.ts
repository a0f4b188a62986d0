import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Where the data goes when nobody says so: `.sluice` in the working directory. Root cannot use that under a private
 * home such as /root: PostgreSQL refuses to run as root, and the user it runs as instead could not reach the data.
 */
export function chooseDataDirectory(workingDirectory: string): string {
  const isRoot = process.getuid?.() === 0;
  return isRoot && !isReachableByOthers(workingDirectory) ? '/var/lib/sluice' : join(workingDirectory, '.sluice');
}

function isReachableByOthers(path: string): boolean {
  const SEARCHABLE_BY_OTHERS = 0o001;
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & SEARCHABLE_BY_OTHERS) === 0) return false;
  }
  return true;
}
