import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes the only user settings that git reads, and returns the file. They allow repositories of other users, because
 * the operator chose their folder. A file is needed, because git does not pass command-line settings to the other side.
 */
export function writeGitConfig(dataDirectory: string): string {
  const file = join(dataDirectory, 'git', 'config');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.${process.pid}`, '[safe]\n\tdirectory = *\n');
  renameSync(`${file}.${process.pid}`, file);
  return file;
}
