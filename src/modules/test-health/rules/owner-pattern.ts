/** No file system has longer paths: a longer one matches nothing. */
const MAX_PATH_CHARACTERS = 4_096;

/** The host whose rules hold. Gitea's file has regular expressions, and is read as GitHub's. */
export type OwnersDialect = 'github' | 'gitlab';

/**
 * A pattern of a CODEOWNERS file. Uses no regular expressions: the uploader chooses both pattern and path, and matching must
 * take no longer than the product of their lengths.
 */
export class OwnerPattern {
  /** The pattern, split at slashes, from the root of the repository; `**` stands for any number of folders. */
  private readonly segments: readonly string[];
  /** Whether it also covers everything below what it names. `docs/*` does not, says GitHub's documentation; on GitLab only `docs/` does. */
  private readonly ownsBelow: boolean;
  private readonly namesFolder: boolean;

  constructor(pattern: string, dialect: OwnersDialect = 'github') {
    const named = pattern.replace(/^\/+|\/+$/g, '');
    const isRooted = pattern.startsWith('/') || (dialect === 'github' && named.includes('/'));
    const own = named.split('/').map((segment) => segment.replace(/\\(.)/g, '$1'));
    this.segments = isRooted ? own : ['**', ...own];
    this.namesFolder = pattern.endsWith('/');
    const isOfGitHub = own.at(-1) !== '*' || own.length === 1;
    this.ownsBelow = dialect === 'gitlab' ? this.namesFolder : isOfGitHub;
  }

  /** `path`: from the root of the repository, without a leading slash. */
  owns(path: string): boolean {
    if (path.length > MAX_PATH_CHARACTERS) return false;
    const folders = path.split('/');
    // The numbers of path parts that the segments so far can match.
    let reached = new Set([0]);
    for (const segment of this.segments) {
      reached =
        segment === '**' ? everyNumber(Math.min(...reached), folders.length) : afterSegment(reached, segment, folders);
      if (reached.size === 0) return false;
    }
    const isWhole = reached.has(folders.length) && !this.namesFolder;
    const isAbove = this.ownsBelow && [...reached].some((parts) => parts > 0 && parts < folders.length);
    return isWhole || isAbove;
  }
}

function everyNumber(first: number, last: number): Set<number> {
  return new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

function afterSegment(reached: ReadonlySet<number>, segment: string, folders: readonly string[]): Set<number> {
  const next = new Set<number>();
  for (const at of reached) {
    const folder = folders[at];
    if (folder !== undefined && matchesPart(segment, folder)) next.add(at + 1);
  }
  return next;
}

/** `*` stands for any characters, `?` for one. Backtracks to the last `*` only. */
function matchesPart(pattern: string, text: string): boolean {
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
