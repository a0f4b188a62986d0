import { LISTING_CALL } from './commit-limits';
import type { GitClone } from './git-clone';
import { GitRefused } from './git-command';

export type TreeChanges =
  | { readonly type: 'listed'; readonly changesAttributes: boolean }
  /** `at`: the position of the first tree that cannot be checked out. */
  | { readonly type: 'refused'; readonly at: number; readonly why: string };

/**
 * The difference of each tree to the tree before it in the list, read by one process. A tree is refused if it changes
 * more files than git can list, such as a small tree that contains itself many times, or if it has files that cannot be
 * checked out.
 */
export async function readTreeChanges(clone: GitClone, trees: readonly string[]): Promise<TreeChanges> {
  try {
    const paths = await changedPaths(clone, trees);
    const wrong = paths.find((change) => change.why !== null);
    if (wrong?.why != null) return { type: 'refused', at: wrong.at, why: wrong.why };
    return { type: 'listed', changesAttributes: paths.some(({ path }) => /(^|\/)\.gitattributes$/.test(path)) };
  } catch (error) {
    if (!(error instanceof GitRefused)) throw error;
    return tooManyIn(clone, trees, error);
  }
}

/** Lists the trees one by one, to find out which tree git cannot list. */
async function tooManyIn(clone: GitClone, trees: readonly string[], refusal: GitRefused): Promise<TreeChanges> {
  const tooMany = (at: number, { message }: GitRefused): TreeChanges => {
    return { type: 'refused', at, why: `It changes more files than git can list: ${message}` };
  };
  if (trees.length <= 2) return tooMany(1, refusal);
  for (let at = 1; at < trees.length; at++) {
    const alone = await readTreeChanges(clone, trees.slice(at - 1, at + 1));
    if (alone.type === 'refused') return { ...alone, at };
  }
  return tooMany(trees.length - 1, refusal);
}

interface ChangedPath {
  readonly at: number;
  readonly path: string;
  /** Why the file cannot be checked out; null if it can, or if it was removed. */
  readonly why: string | null;
}

async function changedPaths(clone: GitClone, trees: readonly string[]): Promise<readonly ChangedPath[]> {
  const pairs = trees.slice(1).map((tree, index) => `${trees[index]} ${tree}`);
  if (pairs.length === 0) return [];
  const args = ['diff-tree', '--stdin', '-r', '-z', '--name-status', '--no-renames'];
  const output = await clone.git.run(args, { ...LISTING_CALL, input: `${pairs.join('\n')}\n` });
  const paths: ChangedPath[] = [];
  let at = 0;
  // For each pair of trees, the output has `<tree> <tree>` and a line break, then for each file a letter, NUL, the path
  // and NUL.
  const fields = output.toString('utf8').split('\0');
  for (let next = 0; next + 1 < fields.length; next += 2) {
    const [, before, after, letter = ''] =
      /^(?:([0-9a-f]{40,64}) ([0-9a-f]{40,64})\n)*(.*)$/s.exec(fields[next] ?? '') ?? [];
    if (before !== undefined) at = positionOf(trees, at, before, after ?? '');
    const path = fields[next + 1] ?? '';
    paths.push({ at, path, why: letter === 'D' ? null : whyNoPath(path) });
  }
  return paths;
}

/** The position of a pair of trees in the list. Pairs of equal trees are not in the output. */
function positionOf(trees: readonly string[], last: number, before: string, after: string): number {
  return trees.findIndex((tree, index) => index > last && tree === after && trees[index - 1] === before);
}

const LONGEST_PATH = 4_095;
const LONGEST_NAME = 255;

/** Why no file can be created at this path of a tree; null if a file can. */
export function whyNoPath(path: string): string | null {
  const shown = path.length > 60 ? `${path.slice(0, 60)}…` : path;
  const parts = path.split('/');
  const forbidden = parts.find((part) => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git');
  if (forbidden !== undefined)
    return `Its tree contains the path ${JSON.stringify(shown)}, which leads outside a checkout`;
  if (Buffer.byteLength(path) > LONGEST_PATH)
    return `Its tree contains a path of more than ${LONGEST_PATH} bytes: ${shown}`;
  if (parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME))
    return `Its tree contains a name of more than ${LONGEST_NAME} bytes: ${shown}`;
  return null;
}
