import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { escapePath, glob } from 'tinyglobby';
import { CliError } from '../cli-error';

export interface ReportFile {
  /** As it is shown: from the folder the command was run in. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly changedAtMs: number;
}

/** In the order of their names. A pattern may also be a file or a folder. */
export async function findReports(patterns: readonly string[], folder: string): Promise<readonly ReportFile[]> {
  const names = await glob(
    patterns.map((pattern) => patternOf(pattern, folder)),
    {
      cwd: folder,
      expandDirectories: false,
      ignore: ['**/node_modules/**', '**/.git/**'],
    },
  );
  return names.sort().map((name) => {
    const path = resolve(folder, name);
    const { size, mtimeMs } = statSync(path);
    return { name, path, bytes: size, changedAtMs: mtimeMs };
  });
}

function patternOf(pattern: string, folder: string): string {
  const found = statSync(resolve(folder, pattern), { throwIfNoEntry: false });
  if (found?.isDirectory()) return `${escapePath(pattern.replace(/\/+$/, ''))}/**/*.{xml,xml.gz}`;
  return found?.isFile() ? escapePath(pattern) : pattern;
}

export function nothingFound(patterns: readonly string[], folder: string): CliError {
  return new CliError(`No file matches ${patterns.map((pattern) => `'${pattern}'`).join(' or ')} in ${folder}.`, {
    code: 'NO_REPORTS',
    next: "Look where the tests write their JUnit XML; in quotes, as in 'reports/**/*.xml', a pattern is not the shell's.",
  });
}

/**
 * Those that a run of the tests has written: a file that was there before and is as it was belongs to an earlier run,
 * whose failures say nothing of this one.
 */
export function writtenSince(before: readonly ReportFile[], after: readonly ReportFile[]): readonly ReportFile[] {
  const earlier = new Map(before.map((file) => [file.path, file]));
  return after.filter(({ path, bytes, changedAtMs }) => {
    const same = earlier.get(path);
    return same === undefined || same.bytes !== bytes || same.changedAtMs !== changedAtMs;
  });
}

/** Of what is in the files. */
export async function digestOf(files: readonly ReportFile[]): Promise<string> {
  const whole = createHash('sha256');
  for (const { name, path } of files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    whole.update(`${name}\0${hash.digest('hex')}\n`);
  }
  return whole.digest('hex');
}
