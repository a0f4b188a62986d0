import type { LandedCommit, LandRequest, PullRequestAtHead, WrongTree } from '../../domain/code-host.port';
import { LISTING_CALL } from './commit-limits';
import { isAboveInStack, memberUpTo } from '../stack-member';
import type { GitClone } from './git-clone';
import type { GitHost } from './git-host';
import { firstParentsOf } from './history';
import { filesBetween } from './rebase-difference';

/**
 * To find the commit onto which a merge was made, at most this many commits below the merge are compared. Such commits
 * come from other people or from a rebase.
 */
const MOST_BELOW = 100;
const MOST_FILES = 100;
const LONGEST_PATCH = 32_768;

/** The difference between the host's merges and real merges of the same pull requests. */
export interface LandedLinks {
  /** Whether somebody pushed in between, while each commit equals a merge onto the commit below it. */
  readonly isMixed: boolean;
  readonly wrongTrees: readonly WrongTree[];
}

/**
 * Examines merges of the host. `links`: the results of the host's own operation, the oldest first, of which the first
 * is on the expected tip.
 */
export async function examineLinks(
  git: GitHost,
  request: LandRequest,
  links: readonly LandedCommit[],
): Promise<LandedLinks> {
  const clone = await git.clone(request.repository);
  const wrongTrees: WrongTree[] = [];
  let isMixed = false;
  let below = request.expectedTip;
  for (const link of links) {
    const pullRequest = request.pullRequests.find(({ number }) => number === link.number);
    if (pullRequest === undefined || link.commit === below) continue;
    const at = request.pullRequests.indexOf(pullRequest);
    const above = request.pullRequests[at + 1];
    // A stack is compared as a whole, because the commits between its layers are the host's own.
    if (isAboveInStack(pullRequest, above) && links.some(({ number }) => number === above?.number)) continue;
    const pullRequests = memberUpTo(request.pullRequests, link.number);
    const examined = await examineLink({ git, clone, request, pullRequests, below }, link);
    if (examined === 'mixed') isMixed = true;
    else if (examined !== 'right') wrongTrees.push(examined);
    below = link.commit;
  }
  return { isMixed, wrongTrees };
}

interface Examination {
  readonly git: GitHost;
  readonly clone: GitClone;
  readonly request: LandRequest;
  readonly pullRequests: readonly PullRequestAtHead[];
  /** The commit onto which the merge should have been made. */
  readonly below: string;
}

async function examineLink(examination: Examination, link: LandedCommit): Promise<'right' | 'mixed' | WrongTree> {
  const { clone, below } = examination;
  const [, ...parents] = await firstParentsOf(clone, link.commit, MOST_BELOW + 1);
  const at = parents.indexOf(below);
  const bases = at < 0 ? parents : parents.slice(0, at + 1);
  // The commits between the layers of a stack are the host's own.
  const isStack = examination.pullRequests.length > 1 && at >= 0;
  const realParent = isStack ? below : (bases[0] ?? below);
  const onRealParent = await mergedTree(examination, realParent);
  for (const base of bases) {
    const tree = base === realParent ? onRealParent : await mergedTree(examination, base);
    if (tree === link.tree) return base === below ? 'right' : 'mixed';
  }
  return wrongTree(clone, link, onRealParent ?? link.tree);
}

/** The tree of a merge onto `base`; null if the merge conflicts. */
async function mergedTree({ git, request, pullRequests }: Examination, base: string): Promise<string | null> {
  const alone = { ...request, onto: base, targetTip: base, alreadyMerged: [], pullRequests };
  const built = await git.buildCandidate({ ...alone, isMergedByHost: true });
  return built.type === 'built' ? built.tree : null;
}

async function wrongTree(
  clone: GitClone,
  { number, commit, tree }: LandedCommit,
  expected: string,
): Promise<WrongTree> {
  const files = await filesBetween(clone, tree, expected);
  const patch = await clone.git.ask(['diff', '--binary', '--no-renames', tree, expected], LISTING_CALL);
  const isKept = patch.code === 0 && patch.stdout.length <= LONGEST_PATCH;
  return {
    ...{ number, commit, expected, found: tree },
    files: files.slice(0, MOST_FILES),
    patch: isKept ? patch.stdout.toString('utf8') : null,
  };
}
