import { createHash } from 'node:crypto';

export type Files = Readonly<Record<string, string>>;

export interface MemoryCommit {
  readonly id: string;
  readonly tree: string;
  readonly files: Files;
  readonly parents: readonly string[];
  readonly author: string;
  readonly message: string;
  readonly at: Date;
}

export type MergedFiles =
  { readonly type: 'merged'; readonly files: Files } | { readonly type: 'conflict'; readonly files: readonly string[] };

/**
 * Commits that contain whole files. The ids of commits are hashes of their content, as in git. Files are merged as a
 * whole: a file that both sides have changed differently is a conflict.
 */
export class MemoryObjects {
  private readonly commits = new Map<string, MemoryCommit>();

  write(draft: Omit<MemoryCommit, 'id' | 'tree'>): MemoryCommit {
    const tree = this.treeOf(draft.files);
    const id = hash([tree, draft.parents, draft.author, draft.message, Math.floor(draft.at.getTime() / 1000)]);
    const commit = { ...draft, id, tree };
    this.commits.set(id, commit);
    return commit;
  }

  treeOf(files: Files): string {
    return hash(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  find(id: string): MemoryCommit | undefined {
    return this.commits.get(id);
  }

  get(id: string): MemoryCommit {
    const commit = this.commits.get(id);
    if (commit === undefined) throw new Error(`There is no commit ${id}`);
    return commit;
  }

  /** The commit and all its ancestors, nearest first. */
  historyOf(id: string): readonly MemoryCommit[] {
    const seen = new Set([id]);
    for (const one of seen) for (const parent of this.get(one).parents) seen.add(parent);
    return [...seen].map((one) => this.get(one));
  }

  /** The commit and its first-parent history, newest first. */
  firstParentsOf(id: string): readonly MemoryCommit[] {
    const line: MemoryCommit[] = [];
    for (let next = this.find(id); next !== undefined; next = this.find(next.parents[0] ?? '')) line.push(next);
    return line;
  }

  isAncestor(ancestor: string, of: string): boolean {
    return this.historyOf(of).some(({ id }) => id === ancestor);
  }

  /** A three-way merge with the newest common ancestor as the base. */
  merge(ours: MemoryCommit, theirs: MemoryCommit): MergedFiles {
    return mergeFiles(this.mergeBase(ours.id, theirs.id)?.files ?? {}, ours.files, theirs.files);
  }

  mergeBase(ours: string, theirs: string): MemoryCommit | undefined {
    const own = new Set(this.historyOf(ours).map(({ id }) => id));
    const seen = new Set([theirs]);
    for (const id of seen) if (!own.has(id)) for (const parent of this.get(id).parents) seen.add(parent);
    const shared = [...seen].filter((id) => own.has(id));
    const newest = shared.find((id) => !shared.some((other) => other !== id && this.isAncestor(id, other)));
    return newest === undefined ? undefined : this.get(newest);
  }
}

export function mergeFiles(base: Files, ours: Files, theirs: Files): MergedFiles {
  const merged: Record<string, string> = {};
  const conflicts: string[] = [];
  for (const path of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const [before, own, other] = [base[path], ours[path], theirs[path]];
    if (own !== other && own !== before && other !== before) conflicts.push(path);
    const content = own === before ? other : own;
    if (content !== undefined) merged[path] = content;
  }
  return conflicts.length > 0 ? { type: 'conflict', files: conflicts } : { type: 'merged', files: merged };
}

function hash(content: unknown): string {
  return createHash('sha1').update(JSON.stringify(content)).digest('hex');
}
