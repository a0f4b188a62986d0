import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of every TypeScript file of the project. Keys are paths relative to the project root, with slashes. */
export type Sources = ReadonlyMap<string, string>;

export const PROJECT = join(__dirname, '..', '..', '..');

const FOLDERS = ['src', 'test'];
const GENERATED = 'src/generated/';

/** The files are read once, so that edits during the run change no verdict. */
export function readSources(): Sources {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file).replaceAll('\\', '/'),
    ),
  );
  return new Map(
    files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.startsWith(GENERATED))
      .map((file) => [file, readFileSync(join(PROJECT, file), 'utf8')]),
  );
}
