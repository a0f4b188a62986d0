/** Longer than any path of a file system: nothing matches it. */
const MAX_PATH_CHARACTERS = 4_096;

/**
 * A pattern of a CODEOWNERS file. Not by regular expressions: patterns and paths both come from who uploads, and the time
 * this takes is at most the product of their lengths.
 */
export class OwnerPattern {
  /** Of the pattern, from the root of the repository on; `**` stands for any number of folders. */
  private readonly segments: readonly string[];
  /** Whether it means everything below what it names, too. `docs/*` does not, by GitHub's documentation. */
  private readonly ownsBelow: boolean;
  private readonly namesFolder: boolean;

  constructor(pattern: string) {
    const named = pattern.replace(/^\/+|\/+$/g, '');
    const isRooted = pattern.startsWith('/') || named.includes('/');
    const own = named.split('/').map((segment) => segment.replace(/\\(.)/g, '$1'));
    this.segments = isRooted ? own : ['**', ...own];
    this.namesFolder = pattern.endsWith('/');
    this.ownsBelow = own.at(-1) !== '*' || own.length === 1;
  }

  /** `path`: from the root of the repository, without a slash at its begin. */
  owns(path: string): boolean {
    if (path.length > MAX_PATH_CHARACTERS) return false;
    const folders = path.split('/');
    // After how many parts of the path the pattern can be, having taken in one of its segments after another.
    let reached = new Set([0]);
    for (const segment of this.segments) {
      reached = segment === '**' ? from(Math.min(...reached), folders.length) : stepped(reached, segment, folders);
      if (reached.size === 0) return false;
    }
    const isWhole = reached.has(folders.length) && !this.namesFolder;
    const isAbove = this.ownsBelow && [...reached].some((parts) => parts > 0 && parts < folders.length);
    return isWhole || isAbove;
  }
}

function from(first: number, last: number): Set<number> {
  return new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

function stepped(reached: ReadonlySet<number>, segment: string, folders: readonly string[]): Set<number> {
  const next = new Set<number>();
  for (const at of reached) {
    const folder = folders[at];
    if (folder !== undefined && fits(segment, folder)) next.add(at + 1);
  }
  return next;
}

/** `*` stands for any characters, `?` for one. Only the last `*` is ever taken back. */
function fits(pattern: string, text: string): boolean {
  let p = 0;
  let star = -1;
  let resumeAt = 0;
  for (let t = 0; t < text.length;) {
    if (pattern[p] === '*') {
      star = p++;
      resumeAt = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (star !== -1) {
      p = star + 1;
      t = ++resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
