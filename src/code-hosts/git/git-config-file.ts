import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The only settings of a user that git reads. A file, because git hands no settings of its command line on to the
 * other side: repositories on disk may belong to another user, and the operator named their folder.
 */
export function writeGitConfig(dataDirectory: string): string {
  const file = join(dataDirectory, 'git', 'config');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.${process.pid}`, '[safe]\n\tdirectory = *\n');
  renameSync(`${file}.${process.pid}`, file);
  return file;
}
