import { HostUnavailable } from '../../domain/code-host.port';
import { GitStopped, lastLine } from './git-command';
import type { GitClone } from './git-clone';
import { asUnavailable, withoutResult } from './git-remote';

const PUSH_LIMIT_MS = 5 * 60_000;

export interface RefUpdate {
  readonly ref: string;
  /** The new commit of the ref; null to remove the ref. */
  readonly commit: string | null;
  /**
   * The push fails unless the ref has this commit. Null: the ref must not exist. Undefined: the ref may have any
   * commit.
   */
  readonly expected?: string | null;
}

export type PushAnswer =
  | { readonly type: 'done' }
  /** A ref has another commit than expected, or somebody else is writing it at this moment. */
  | { readonly type: 'raced' }
  /** The rules or hooks of the repository refuse the push. */
  | RefusedPush;

interface RefusedPush {
  readonly type: 'refused';
  readonly why: string;
  /** The refs that the host names as refused; all refs if a hook refuses the whole push. */
  readonly refs: readonly string[];
}

const RACED =
  /stale info|cannot lock ref|failed to (lock|update ref)|fetch first|non-fast-forward|already exists|\.lock|remote ref does not exist|incorrect old value/;

/** Moves either all refs or none. A ref that is already at its new commit counts as moved. */
export async function push(
  clone: Pick<GitClone, 'remote' | 'directory'>,
  updates: readonly RefUpdate[],
): Promise<PushAnswer> {
  const leases = updates.flatMap(({ ref, expected }) =>
    expected === undefined ? [] : [`--force-with-lease=${ref}:${expected ?? ''}`],
  );
  const specs = updates.map(({ ref, commit }) => `${commit ?? ''}:${ref}`);
  const { remote, directory } = clone;
  const git = remote.git.with({ GIT_DIR: directory });
  const args = ['push', '--porcelain', '--atomic', '--no-verify', '--no-signed', '--recurse-submodules=no', ...leases];
  try {
    const result = await git.ask([...args, '--end-of-options', remote.url, ...specs], { limitMs: PUSH_LIMIT_MS });
    if (result.code === 0) return { type: 'done' };
    return explain(remote.host, result.stdout.toString('utf8'), result.stderr);
  } catch (error) {
    throw error instanceof GitStopped ? asUnavailable(remote.host, error) : error;
  }
}

/**
 * Reads lines such as `!<tab><from>:<to><tab>[rejected] (why)`. A ref that failed only because of another ref has the
 * reason "atomic". If all refs have this reason, refs were locked or moved during the push.
 */
function explain(host: string, stdout: string, stderr: string): PushAnswer {
  const reasons = stdout.split('\n').flatMap((line) => {
    const match = /^!\t[^\t]*?:?([^\t:]*)\t\[([a-z ]+)\] ?(?:\((.*)\))?$/.exec(line);
    return match === null ? [] : [{ ref: match[1] ?? '', kind: match[2] ?? '', why: match[3] ?? '' }];
  });
  const own = reasons.filter(({ why }) => !/^atomic (push failed|transaction failed)|^atomic push failure$/.test(why));
  const isRaced = own.length > 0 ? own.some(({ why }) => RACED.test(why)) : reasons.length > 0 || RACED.test(stderr);
  if (isRaced) return { type: 'raced' };
  const refusal = own.find(({ kind }) => kind === 'remote rejected');
  const said = remoteLines(stderr);
  if (refusal !== undefined && isAboutCommit(refusal.why, said)) {
    const refs = own.filter(({ kind }) => kind === 'remote rejected').map(({ ref }) => ref);
    return { type: 'refused', why: [refusal.why, ...said].join('; '), refs };
  }
  const answered = reasons.length > 0 || /unpack/.test(stderr);
  throw answered ? new HostUnavailable(host, 'server_error', lastLine(stderr)) : withoutResult(host, stderr);
}

/**
 * Matches messages about trouble on the host, such as a full disk. Objects are missing there if its repository is
 * damaged, or was moved during the push.
 */
const HOST_IN_TROUBLE =
  /unable to (migrate|write|create|open)|missing necessary objects|no space left|disk quota|read-only|internal server error|timed? ?out|temporar|unavailable/i;

/** Matches git's message about a repository that no longer exists, which may come together with a hook's message. */
const REPOSITORY_GONE = /^fatal: not a git repository/;

/**
 * Whether the message is about this commit: it names a fault or a size limit. A host that cannot store objects refuses
 * every commit with the same message.
 */
function isAboutCommit(why: string, said: readonly string[]): boolean {
  if (HOST_IN_TROUBLE.test(why) || said.some((line) => REPOSITORY_GONE.test(line))) return false;
  return !/unpacker error/.test(why) || said.some((line) => /fsck error|exceeds maximum allowed size/.test(line));
}

/** The output of the repository's hooks. */
function remoteLines(stderr: string): readonly string[] {
  const lines = stderr.split('\n').filter((line) => line.startsWith('remote: '));
  return lines.map((line) => line.slice('remote: '.length).trim()).filter((line) => line !== '');
}
