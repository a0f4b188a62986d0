import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { escapePath, glob } from 'tinyglobby';
import { CliError } from '../cli-error';

export interface ReportFile {
  /** Relative to the working directory, for messages. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly changedAtMs: number;
}

/** Sorted by name. A pattern may also be a file or a folder. */
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
    next: "Check where the tests write their JUnit XML. Quote a pattern, as in 'reports/**/*.xml', or the shell expands it.",
  });
}

/** The reports that this run of the tests wrote. An unchanged file belongs to an earlier run, so its failures do not count. */
export function writtenSince(before: readonly ReportFile[], after: readonly ReportFile[]): readonly ReportFile[] {
  const earlier = new Map(before.map((file) => [file.path, file]));
  return after.filter(({ path, bytes, changedAtMs }) => {
    const same = earlier.get(path);
    return same === undefined || same.bytes !== bytes || same.changedAtMs !== changedAtMs;
  });
}

/** Hashes the content of the files. */
export async function digestOf(files: readonly ReportFile[]): Promise<string> {
  const whole = createHash('sha256');
  for (const { name, path } of files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    whole.update(`${name}\0${hash.digest('hex')}\n`);
  }
  return whole.digest('hex');
}
