import { spawnSync } from 'node:child_process';
import type { Installing } from './runner';

/** Null: it ended with 0. */
export function problemOf(program: string, ...words: readonly string[]): string | null {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8' });
  if (status === 0) return null;
  return `"${[program, ...words].join(' ')}" failed: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? ''}`;
}

/**
 * Packages of Debian.
 * @param check a command that ends with 0 where they are there
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
