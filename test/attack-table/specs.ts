import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PROJECT = join(__dirname, '../..');
export const NAMED = 'attack \\d';

/** Paths of the specs with hostile tests. Only these are passed to jest, which would otherwise load every spec. */
export function specsWithAttacks(): readonly string[] {
  return ['src', 'test']
    .flatMap((root) => readdirSync(join(PROJECT, root), { recursive: true }).map((name) => join(root, String(name))))
    .filter((path) => path.endsWith('.spec.ts') && !path.startsWith('test/attack-table/'))
    .filter((path) => new RegExp(NAMED).test(readFileSync(join(PROJECT, path), 'utf8')));
}
