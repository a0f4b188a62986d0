import type { FileChangeQuestion, FileVersionsRequest, TooLarge } from '../../domain/code-host.port';
import type { GitClone } from './git-clone';
import { firstParentsOf, forkOf } from './history';
import { isCommitId } from './names';

/** The text of a file. The size of the file is read first, because anybody may have pushed hundreds of megabytes. */
export async function readBlob(
  clone: GitClone,
  commit: string,
  path: string,
  maxBytes: number,
): Promise<string | null | TooLarge> {
  const [blob] = await findBlobs(clone, [`${commit}:${path}`]);
  if (!blob) return null;
  if (blob.size > maxBytes) return { type: 'too_large' };
  const [file] = await clone.read([blob.id]);
  return file?.type === 'blob' ? file.content.toString('utf8') : null;
}

/** Like `readBlob`, for a commit that the clone may not have yet. */
export async function readFileAt(
  clone: GitClone,
  commit: string,
  path: string,
  maxBytes: number,
): Promise<string | null | TooLarge> {
  if (!isCommitId(commit) || path.includes('\n')) return null;
  await clone.commits([{ commit }]);
  return readBlob(clone, commit, path, maxBytes);
}

/**
 * Reads the versions of a file with one process for the commits, one for the sizes and one for the texts, however many
 * versions there are.
 */
export async function readFileVersions(
  clone: GitClone,
  { commit, path, mostCommits, maxBytes }: FileVersionsRequest,
): Promise<readonly (string | null)[]> {
  if (!isCommitId(commit)) return [];
  const [tip] = await clone.commits([{ commit }]);
  if (tip == null) return [];
  const commits = await firstParentsOf(clone, commit, mostCommits);
  const blobs = await findBlobs(
    clone,
    commits.map((one) => `${one}:${path}`),
  );
  const versions = blobs
    .filter((blob, i) => i === 0 || blob?.id !== blobs[i - 1]?.id)
    .filter((blob) => blob === null || blob.size <= maxBytes);
  const ids = [...new Set(versions.flatMap((blob) => blob?.id ?? []))];
  const read = await clone.read(ids);
  const texts = new Map(ids.map((id, i) => [id, read[i]?.content.toString('utf8') ?? null]));
  return versions.map((blob) => (blob === null ? null : (texts.get(blob.id) ?? null)));
}

export async function changesFile(clone: GitClone, { base, head, path }: FileChangeQuestion): Promise<boolean> {
  if (!isCommitId(base) || !isCommitId(head)) return false;
  const found = await clone.commits([{ commit: base }, { commit: head }]);
  if (found.some((commit) => commit == null)) return false;
  const fork = await forkOf(clone, base, head);
  const [before, after] = await findBlobs(clone, [`${fork}:${path}`, `${head}:${path}`]);
  return before?.id !== after?.id;
}

interface Blob {
  readonly id: string;
  readonly size: number;
}

/**
 * Finds the files named `<commit>:<path>`, without their content. Null if there is nothing at the path, or a folder.
 */
async function findBlobs(clone: GitClone, names: readonly string[]): Promise<readonly (Blob | null)[]> {
  const output = await clone.git.run(['cat-file', '--batch-check'], { input: `${names.join('\n')}\n` });
  const lines = output.toString('utf8').split('\n');
  return names.map((_, i) => {
    const [, id, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(lines[i] ?? '') ?? [];
    return id === undefined ? null : { id, size: Number(size) };
  });
}
