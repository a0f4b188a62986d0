import type {
  ChangedFilesQuestion,
  CommitsQuestion,
  FileChangeQuestion,
  FileVersionsRequest,
  TooLarge,
} from '../../domain/code-host.port';
import type { MemoryObjects } from './memory-objects';

/** The text of the file; null if there is no such file, or no such commit. */
export function fileTextAt(
  objects: MemoryObjects,
  commit: string,
  path: string,
  maxBytes: number,
): string | null | TooLarge {
  const text = objects.find(commit)?.files[path] ?? null;
  return text !== null && Buffer.byteLength(text) > maxBytes ? { type: 'too_large' } : text;
}

export function textVersions(
  objects: MemoryObjects,
  { commit, path, mostCommits, maxBytes }: FileVersionsRequest,
): readonly (string | null)[] {
  const commits = objects.firstParentsOf(commit).slice(0, mostCommits);
  const texts = commits.map(({ files }) => files[path] ?? null);
  return texts
    .filter((text, i) => i === 0 || text !== texts[i - 1])
    .filter((text) => text === null || Buffer.byteLength(text) <= maxBytes);
}

export function isTextChanged(objects: MemoryObjects, { base, head, path }: FileChangeQuestion): boolean {
  const [from, to] = [objects.find(base), objects.find(head)];
  if (from === undefined || to === undefined) return false;
  return objects.mergeBase(from.id, to.id)?.files[path] !== to.files[path];
}

export function changedPaths(
  objects: MemoryObjects,
  { base, head, mostFiles }: ChangedFilesQuestion,
): readonly string[] | 'too_many' | 'unknown' {
  const [from, to] = [objects.find(base), objects.find(head)];
  const fork = from && to && objects.mergeBase(from.id, to.id);
  if (fork === undefined || to === undefined) return 'unknown';
  const paths = [...new Set([...Object.keys(fork.files), ...Object.keys(to.files)])];
  const changed = paths.filter((path) => fork.files[path] !== to.files[path]);
  return changed.length > mostFiles ? 'too_many' : changed;
}

/** Ids of the commits that the head has in addition to the base, nearest to the head first. */
export function idsBeyond(objects: MemoryObjects, { base, head, mostCommits }: CommitsQuestion): readonly string[] {
  const idsOf = (commit: string): string[] =>
    objects.find(commit) === undefined ? [] : objects.historyOf(commit).map(({ id }) => id);
  const there = new Set(base === null ? [] : idsOf(base));
  return idsOf(head)
    .filter((id) => !there.has(id))
    .slice(0, mostCommits);
}
