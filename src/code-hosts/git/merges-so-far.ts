import {
  type BranchTip,
  type LandedCommit,
  type LandRequest,
  type LandRefusal,
  type MergingAtHost,
  type PullRequestAtHead,
} from '../../domain/code-host.port';
import { unreadable } from '../reading';
import type { BuiltByGit, WithoutCommit } from './built-by-git';

/** A code host that merges one pull request at a time by its own operation. */
export interface OneByOne extends BuiltByGit {
  /** The commit as which the pull request was merged; null if it is not merged. */
  mergedAs(request: LandRequest, number: number): Promise<string | null>;
  /**
   * Merges a pull request. Returns the new commit of the target, or why the code host did not merge, or has not merged
   * yet.
   */
  merge(
    request: LandRequest,
    pullRequest: PullRequestAtHead,
    expectedTip: string,
  ): Promise<string | LandRefusal | MergingAtHost>;
  objectionToOne(request: LandRequest, pullRequest: PullRequestAtHead): Promise<LandRefusal | null>;
  /**
   * Why the layers of one stack cannot be merged, the lowest first. The code host merges them by one operation on the
   * highest layer. Absent: the code host has no stacks.
   */
  objectionToStack?(request: LandRequest, layers: readonly PullRequestAtHead[]): Promise<LandRefusal | null>;
  objectionToAny(request: LandRequest): Promise<LandRefusal | null>;
}

/**
 * How far a landing is. `expected`: the commit that the target must have before the next merge, which is the expected
 * tip or the previous merge.
 */
export interface Progress {
  readonly links: readonly LandedCommit[];
  readonly expected: string;
}

/**
 * Finds the first pull requests of the run that are already merged, in order, on top of the expected tip. Only an
 * earlier attempt of the landing can have merged exactly these pull requests.
 */
export async function mergedEarlier(parts: OneByOne, request: LandRequest, there: WithoutCommit): Promise<Progress> {
  const links: LandedCommit[] = [];
  const tip = await presentTip(parts, request);
  if (tip === null || tip.commit === request.expectedTip) return { links, expected: request.expectedTip };
  for (const { number } of request.pullRequests) {
    const commit = there.has(number)
      ? (links.at(-1)?.commit ?? request.expectedTip)
      : await parts.mergedAs(request, number);
    if (commit === null || !(await isOnExpectedTip(parts, request, commit, tip.commit))) break;
    links.push(await linkOf(parts, request, there, { number, commit }));
  }
  if (links.at(-1)?.commit === request.expectedTip) return { links: [], expected: request.expectedTip };
  return { links, expected: links.at(-1)?.commit ?? request.expectedTip };
}

function isOnExpectedTip(parts: OneByOne, request: LandRequest, commit: string, tip: string): Promise<boolean> {
  const { repository, expectedTip } = request;
  return parts.byGit(request, async (git) => {
    const isAbove = await git.containsCommit(repository, commit, expectedTip);
    return isAbove && git.containsCommit(repository, tip, commit);
  });
}

export function presentTip(parts: OneByOne, request: LandRequest): Promise<BranchTip | null> {
  return parts.byGit(request, (git) => git.readBranch(request.repository, request.targetBranch));
}

export async function linkOf(
  parts: OneByOne,
  request: LandRequest,
  there: WithoutCommit,
  { number, commit }: Omit<LandedCommit, 'tree'>,
): Promise<LandedCommit> {
  const tree = await parts.byGit(request, (git) => git.readTree(request.repository, commit));
  if (tree === null) throw unreadable(parts.host, `the merge commit ${commit}`);
  return { number, commit, tree, ...(there.get(number) === 'nothing' && { isNothing: true }) };
}
