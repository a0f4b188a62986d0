import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GitClone } from './git-clone';
import { GitRefused } from './git-command';
import type { GitObject } from './objects';
import { whyNoPath } from './tree-changes';

/** A folder with only the `.gitattributes` files of a tree, which git uses as the work tree. */
export type AttributesFolder = string;

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/** The longest path of an attributes file. Attributes in deeper folders are ignored. */
const LONGEST_PATH = 2_000;
/**
 * The maximum number of attributes files of a tree, of which the files closest to the root are used. A small tree may
 * have attributes in a million folders, and each would become a file on the service's disk.
 */
const MOST_FILES = 2_000;
const ONLY_ATTRIBUTES = ['--', ':(glob)**/.gitattributes'];
/**
 * Matches attributes that can change a merge: merge drivers, and macros that set a merge driver (`binary`, or custom
 * macros).
 */
const CONCERNS_MERGES = /merge|binary|\[attr\]/;

/**
 * Writes the attributes of a tree to a folder. Null if no attribute of the tree affects merges. The folder is needed
 * because a bare repository ignores the `.gitattributes` of its trees, so that files with `merge=union` would conflict
 * although they merge in a work tree.
 */
export async function attributesOf(clone: GitClone, tree: string): Promise<AttributesFolder | null> {
  const { memory } = clone;
  const known = memory.attributes.get(tree);
  if (known !== undefined) return known;
  const before = memory.newestTree === null ? undefined : memory.attributes.get(memory.newestTree);
  const isSame = before !== undefined && (await changedAttributes(clone, memory.newestTree ?? tree, tree)).length === 0;
  const folder = isSame ? before : await extract(clone, tree);
  memory.attributes.set(tree, folder);
  memory.newestTree = tree;
  return folder;
}

async function changedAttributes(clone: GitClone, from: string, to: string): Promise<readonly string[]> {
  const output = await clone.git.run(['diff-tree', '-r', '-z', '--name-only', from, to, ...ONLY_ATTRIBUTES]);
  return output
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
}

async function extract(clone: GitClone, tree: string): Promise<AttributesFolder | null> {
  const paths = (await changedAttributes(clone, EMPTY_TREE, tree))
    .filter(isPlainPath)
    .toSorted((a, b) => depthOf(a) - depthOf(b))
    .slice(0, MOST_FILES);
  const blobs = await readUnlessHuge(
    clone,
    paths.map((path) => `${tree}:${path}`),
  );
  const files = paths.flatMap((path, index) => {
    const blob = blobs[index];
    return blob?.type === 'blob' ? [{ path, content: blob.content }] : [];
  });
  if (!files.some(({ content }) => CONCERNS_MERGES.test(content.toString('utf8')))) return null;
  const hash = createHash('sha1');
  for (const { path, content } of files) hash.update(`${path}\0${content.length}\0`).update(content);
  const folder = join(clone.directory, 'attributes', hash.digest('hex'));
  await writeFolder(folder, files);
  return folder;
}

function depthOf(path: string): number {
  return path.split('/').length;
}

/** Reads attributes files. Huge files are ignored, as git does. */
async function readUnlessHuge(clone: GitClone, names: readonly string[]): Promise<readonly (GitObject | null)[]> {
  try {
    return await clone.read(names);
  } catch (error) {
    if (error instanceof GitRefused) return [];
    throw error;
  }
}

/**
 * Whether a path can be used: a path with a line break cannot be passed to `cat-file`, and a path of almost 4 KB cannot
 * be made below the clone.
 */
function isPlainPath(path: string): boolean {
  return !path.includes('\n') && Buffer.byteLength(path) <= LONGEST_PATH && whyNoPath(path) === null;
}

/** Writes a temporary folder and renames it, so that other processes never read half of it. */
async function writeFolder(folder: string, files: readonly { path: string; content: Buffer }[]): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}.`);
  for (const { path, content } of files) {
    await mkdir(dirname(join(temporary, path)), { recursive: true });
    await writeFile(join(temporary, path), content);
  }
  // If the folder already exists, it has the same content, because its name is the hash of the content.
  await rename(temporary, folder).catch(() => rm(temporary, { recursive: true, force: true }));
}
