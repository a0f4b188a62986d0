import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MergeMethod } from '../../src/engine/vocabulary';
import { type Bug, withBug } from '../simulation/days-find/bugs';
import { CONTENT_BUGS } from './bugs';
import type { PlayedRepository } from './played-repository';

const PROJECT = join(__dirname, '..', '..');
const PLAYED = './played-repository';

type Loader = (module: NodeJS.Module, filename: string) => void;

/** The loader of TypeScript modules, as set by `test/bench/typescript.cjs`. */
const loaders = require.extensions as unknown as Record<'.ts', Loader>;

/**
 * `bug` is the index of the bug in the list. With null, the program is played without a bug. A process plays only one
 * program.
 */
export async function problemIn(
  bug: number | null,
  method: MergeMethod,
  seed: number,
): Promise<{ readonly problem: string | null; readonly landed: number }> {
  if (bug !== null) putBack(CONTENT_BUGS[bug]!);
  const program = createRequire(__filename)(PLAYED) as { readonly PlayedRepository: typeof PlayedRepository };
  const repository = new program.PlayedRepository(seed, method);
  const problem = await repository.play();
  return { problem, landed: repository.landed };
}

let isPutBack = false;

/** From now on the file with the bug is loaded in place of the project's file. */
function putBack(bug: Bug): void {
  if (isPutBack) return;
  isPutBack = true;
  const file = join(PROJECT, bug.file);
  const load = loaders['.ts'];
  loaders['.ts'] = (module, filename) => {
    if (filename !== file) return load(module, filename);
    const folder = mkdtempSync(join(tmpdir(), 'sluice-bug-'));
    try {
      const changed = join(folder, 'changed.ts');
      writeFileSync(changed, withBug(readFileSync(file, 'utf8'), bug));
      load(module, changed);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}
