import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { problemOf } from '../installing';

export function pythonOf(folder: string, environment: string): string {
  return join(folder, environment, 'bin', 'python');
}

/** Installs the packages in a virtual environment, which is named after their program. */
export function installPython(folder: string, program: string, packages: readonly string[]): string | null {
  if (existsSync(join(folder, program, 'bin', program))) return null;
  return (
    problemOf('python3', '-m', 'venv', join(folder, program)) ??
    problemOf(pythonOf(folder, program), '-m', 'pip', 'install', '--quiet', ...packages)
  );
}
