/** Whether a token accepts a character. */
type Takes = (character: number) => boolean;

/** A part of a compiled glob: a character, a set of characters, or one of these words. */
export type GlobToken =
  | number
  | Takes
  /** Any characters. */
  | 'many'
  /** Any characters except slashes. */
  | 'many in folder'
  | 'end'
  /** Continues at each of these positions, which are relative to the position of the fork. */
  | { readonly fork: readonly number[] };

/**
 * Tokens, each with the number of its branch in the glob. Each path from a token to a later token of the same branch
 * passes through the tokens of that branch in between.
 */
export type CompiledGlob = readonly (readonly [token: GlobToken, branch: number])[];

/**
 * - `text`: `*` stands for any characters, `?` for one.
 * - `stars`: `*` stands for any characters, and nothing else is special, as in GitLab's protected branches.
 * - `gitea`: like `text`, and also `[a-z]`, `[!a-z]`, `{a,b}`, and `\` for a literal character, as Gitea has for names
 *   of statuses.
 * - `gitea-branch`: like `gitea`, but `*` and `?` do not match a slash, and `**` does, as in Gitea's branch rules.
 * - `github-owners`, `gitlab-owners`: lines of CODEOWNERS. Patterns match paths from the root, without a leading slash.
 */
export type GlobDialect = 'text' | 'stars' | 'gitea' | 'gitea-branch' | 'github-owners' | 'gitlab-owners';

export const DIALECTS: Readonly<Record<GlobDialect, (glob: string) => CompiledGlob>> = {
  text: (glob) => whole(tokensOf(glob, { '*': 'many', '?': any } as const)),
  stars: (glob) => whole(tokensOf(glob, { '*': 'many' })),
  gitea: (glob) => compileGitea(glob, { one: any, many: 'many' }),
  'gitea-branch': (glob) => compileGitea(glob, IN_FOLDER),
  'github-owners': (line) => compileOwners(line, 'github'),
  'gitlab-owners': (line) => compileOwners(line, 'gitlab'),
};

export const SLASH = 0x2f;
const any: Takes = () => true;
const NOTHING: GlobToken = { fork: [] };
const NEVER: CompiledGlob = [[NOTHING, 0]];
const IN_FOLDER = { one: (character: number) => character !== SLASH, many: 'many in folder' } as const;

function whole(tokens: readonly GlobToken[]): CompiledGlob {
  return [...tokens, 'end' as const].map((token) => [token, 0]);
}

function tokensOf(text: string, special: Readonly<Record<string, GlobToken>>): readonly GlobToken[] {
  return [...text].map((one) => special[one] ?? one.codePointAt(0)!);
}

interface Braces {
  /** The number of the branch around the braces. */
  readonly outside: number;
  /** The position of the fork that leads to the alternatives. */
  readonly fork: number;
  readonly starts: number[];
  /** The position after each alternative, from which a match continues behind the braces. */
  readonly ends: number[];
}

/** Compiles a glob of the dialects `gitea` and `gitea-branch`. A glob with unclosed braces matches nothing. */
function compileGitea(glob: string, { one, many }: { readonly one: Takes; readonly many: GlobToken }): CompiledGlob {
  const compiled: [GlobToken, number][] = [];
  const open: Braces[] = [];
  let branches = 0;
  let branch = 0;
  const add = (token: GlobToken): number => compiled.push([token, branch]) - 1;
  const begin = ({ starts }: Braces): void => {
    starts.push(compiled.length);
    branch = ++branches;
  };
  const close = ({ outside, fork, starts, ends }: Braces): void => {
    compiled[fork] = [{ fork: starts.map((start) => start - fork) }, outside];
    for (const end of ends) compiled[end] = [{ fork: [compiled.length - end] }, compiled[end]![1]];
    branch = outside;
  };
  for (const [part] of glob.matchAll(/\\[^]|\*+|\[!?[^\]]{1,99}\]|[^]/gu)) {
    const inner = open.at(-1);
    if (part.startsWith('*')) add(part.length > 1 ? 'many' : many);
    else if (part === '?') add(one);
    else if (part === '{') {
      const braces: Braces = { outside: branch, fork: add(NOTHING), starts: [], ends: [] };
      open.push(braces);
      begin(braces);
    } else if (part === ',' && inner) {
      inner.ends.push(add(NOTHING));
      begin(inner);
    } else if (part === '}' && inner) {
      inner.ends.push(add(NOTHING));
      close(open.pop()!);
    } else if (part.length > 2 && part.startsWith('[')) add(classOf(part));
    else if (part !== '\\') add(part.codePointAt(part.startsWith('\\') ? 1 : 0)!);
  }
  return open.length > 0 ? NEVER : [...compiled, ['end', 0]];
}

function classOf(part: string): Takes {
  const isNegated = part.startsWith('[!');
  const ranges = [...part.slice(isNegated ? 2 : 1, -1).matchAll(/([^])(?:-([^]))?/gu)].map(([, first, last]) => ({
    from: first!.codePointAt(0)!,
    to: (last ?? first)!.codePointAt(0)!,
  }));
  return (character) => isNegated !== ranges.some(({ from, to }) => from <= character && character <= to);
}

/**
 * `**` as a folder stands for any number of folders. On GitHub, a pattern with a slash is relative to the root and
 * covers everything below its matches, unless it ends like `docs/*`. On GitLab, a pattern covers everything below its
 * matches only if it ends with a slash.
 */
function compileOwners(line: string, host: 'github' | 'gitlab'): CompiledGlob {
  const named = line.split('/').filter((part) => part !== '');
  const isRooted = line.startsWith('/') || (host === 'github' && named.length > 1);
  const isOnlyFolder = line.endsWith('/');
  const ownsBelow = isOnlyFolder || (host === 'github' && (named.at(-1) !== '*' || named.length === 1));
  const last = named.pop();
  if (last === undefined) return NEVER;
  const tokens = [...(isRooted ? [] : ['**']), ...named].flatMap((folder): GlobToken[] =>
    folder === '**' ? [{ fork: [1, 3] }, 'many', SLASH] : [...partOf(folder), SLASH],
  );
  tokens.push(...(last === '**' ? (['many'] as const) : partOf(last)));
  const ends = [...(isOnlyFolder ? [] : [1]), ...(ownsBelow ? [2] : [])];
  return [
    ...tokens.map((token) => [token, 0] as const),
    ...([{ fork: ends }, 'end', SLASH, 'many', 'end'] as const).map((token) => [token, 1] as const),
  ];
}

function partOf(folder: string): readonly GlobToken[] {
  return [...folder.matchAll(/\\[^]|[^]/gu)].map(([part]) => {
    if (part === '*') return IN_FOLDER.many;
    return part === '?' ? IN_FOLDER.one : part.codePointAt(part.length > 1 && part.startsWith('\\') ? 1 : 0)!;
  });
}
