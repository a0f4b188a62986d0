import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes the only user settings that git reads, and returns the file. The settings allow repositories of other users,
 * because the operator chose the folder of the repositories. A file is needed, because git does not pass command-line
 * settings to the other side of a push or fetch.
 */
export function writeGitConfig(dataDirectory: string): string {
  const file = join(dataDirectory, 'git', 'config');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.${process.pid}`, '[safe]\n\tdirectory = *\n');
  renameSync(`${file}.${process.pid}`, file);
  return file;
}
