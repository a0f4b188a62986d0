import { spawnSync } from 'node:child_process';
import type { Installing } from './runner';

/** The problem of the program; null if it exited with 0. */
export function problemOf(program: string, ...words: readonly string[]): string | null {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8' });
  if (status === 0) return null;
  return `"${[program, ...words].join(' ')}" failed: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? ''}`;
}

/**
 * Installs Debian packages.
 * @param check a command that exits with 0 if the packages are installed
 */
export function installPackages(
  { mayUseApt }: Installing,
  check: readonly [program: string, ...words: readonly string[]],
  packages: readonly string[],
): string | null {
  const problem = problemOf(...check);
  if (problem === null) return null;
  if (!mayUseApt) return `${problem}; --install runs apt-get install ${packages.join(' ')}`;
  return problemOf('apt-get', 'install', '-y', '--no-install-recommends', ...packages) ?? problemOf(...check);
}
