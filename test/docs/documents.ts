import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.sluice', 'generated', 'fixtures']);

/** Paths of files with this ending, relative to the root of the repository. */
export function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path, ending);
      return path.endsWith(ending) ? [path] : [];
    });
}

/** The document without its code blocks, in which nothing is a link or a heading. */
export function proseOf(document: string): string {
  return document.replace(/^```[\s\S]*?^```/gm, '');
}

/**
 * The comments of a source file. The search relies on the lines at which prettier leaves comments. A string that looks
 * like a comment is mistaken for a comment.
 */
export function commentsOf(source: string): string {
  return (source.match(/^\s*\/?\*.*$|(?:^|\s)\/\/ .*$/gm) ?? []).join('\n');
}
