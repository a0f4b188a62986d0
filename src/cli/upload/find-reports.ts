import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { escapePath, glob } from 'tinyglobby';
import { beginsLikeReport } from '../../modules/test-health/reports/recognise';
import { CliError } from '../cli-error';

export interface ReportFile {
  /** The path relative to the working directory, for messages. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly changedAtMs: number;
}

/** The files in a folder that are sent as reports. JSON files are sent only if they begin like a report. */
const IN_FOLDERS = '**/*.{xml,xml.gz,trx,trx.gz,tap,tap.gz}';
const JSON_IN_FOLDERS = '**/*.{json,jsonl,ndjson}';
const HEAD_BYTES = 4_096;

/** The reports that match the patterns, sorted by name. A pattern may also be the path of a file or a folder. */
export async function findReports(patterns: readonly string[], folder: string): Promise<readonly ReportFile[]> {
  const ignore = ['**/node_modules/**', '**/.git/**'];
  const find = async (wanted: readonly string[]): Promise<readonly string[]> =>
    wanted.length === 0 ? [] : glob([...wanted], { cwd: folder, expandDirectories: false, ignore });
  const folders = patterns.filter((pattern) => isFolder(pattern, folder));
  const named = await find(patterns.map((pattern) => patternOf(pattern, folder)));
  const json = await find(folders.map((pattern) => inFolder(pattern, JSON_IN_FOLDERS)));
  const reports = await Promise.all(json.map(async (name) => ((await isReport(resolve(folder, name))) ? [name] : [])));
  return [...new Set([...named, ...reports.flat()])].sort().map((name) => {
    const path = resolve(folder, name);
    const { size, mtimeMs } = statSync(path);
    return { name, path, bytes: size, changedAtMs: mtimeMs };
  });
}

function patternOf(pattern: string, folder: string): string {
  if (isFolder(pattern, folder)) return inFolder(pattern, IN_FOLDERS);
  const found = statSync(resolve(folder, pattern), { throwIfNoEntry: false });
  return found?.isFile() ? escapePath(pattern) : pattern;
}

function isFolder(pattern: string, folder: string): boolean {
  return statSync(resolve(folder, pattern), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function inFolder(folder: string, pattern: string): string {
  return `${escapePath(folder.replace(/\/+$/, ''))}/${pattern}`;
}

async function isReport(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return beginsLikeReport(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

export function nothingFound(patterns: readonly string[], folder: string): CliError {
  return new CliError(`No file matches ${patterns.map((pattern) => `'${pattern}'`).join(' or ')} in ${folder}.`, {
    code: 'NO_REPORTS',
    next: "Check where the tests write their reports. Quote a pattern, as in 'reports/**/*.xml', or the shell expands it.",
  });
}

/**
 * The reports that this run of the tests wrote. An unchanged file belongs to an earlier run, so its failures do not
 * count.
 */
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
