import type { CandidateOutcome, LandRefusal, LandRequest, PullRequestAtHead } from '../../domain/code-host.port';
import { unreadable } from '../reading';
import type { GitHost } from './git-host';
import type { RecentBuilds } from './recent-builds';

/** What a landing needs to build its pull requests with git. */
export interface BuiltByGit {
  readonly host: string;
  /** Runs git on the repository, with a renewed token if the server rejects the token of a git command. */
  byGit<Result>(request: Pick<LandRequest, 'repository'>, work: (git: GitHost) => Promise<Result>): Promise<Result>;
  /** The builds of earlier attempts, for landings that need several attempts. Absent: builds are not kept. */
  readonly builds?: RecentBuilds;
}

/** The pull requests without a commit of their own, and for each why: the target contains it, or it changes nothing. */
export type WithoutCommit = ReadonlyMap<number, 'contained' | 'nothing'>;

/**
 * Builds all pull requests with git on the expected tip, when it is first called. A build starts a dozen processes, and
 * its result never changes.
 */
export type MadeByGit = () => Promise<CandidateOutcome>;

export function madeByGit(parts: BuiltByGit, request: LandRequest): Promise<CandidateOutcome> {
  const { expectedTip } = request;
  const alone = {
    ...request,
    onto: expectedTip,
    targetTip: expectedTip,
    alreadyMerged: [],
    isMergedByHost: true,
  } as const;
  const build: MadeByGit = () => parts.byGit(request, (git) => git.buildCandidate(alone));
  return parts.builds?.once(alone, build) ?? build();
}

export function keptOnceBuilt(build: MadeByGit): MadeByGit {
  let kept: CandidateOutcome | undefined;
  return async () => {
    const outcome = kept ?? (await build());
    if (outcome.type === 'built') kept = outcome;
    return outcome;
  };
}

export async function alreadyThere({ pullRequests }: LandRequest, made: MadeByGit): Promise<WithoutCommit> {
  const outcome = await made();
  if (outcome.type !== 'built') return new Map();
  const { alreadyThere: nothing = [], contained = [] } = outcome;
  const all = new Map([
    ...nothing.map((number) => [number, 'nothing'] as const),
    ...contained.map((number) => [number, 'contained'] as const),
  ]);
  // A stack is merged as a whole, so its pull requests that are already in the target are not left out.
  const isWithout = ({ number, stack }: PullRequestAtHead): boolean =>
    all.has(number) && (stack == null || pullRequests.every((one) => one.stack !== stack || all.has(one.number)));
  return new Map([...all].filter(([number]) => pullRequests.some((one) => one.number === number && isWithout(one))));
}

/**
 * Why the merge would give another tree than the tested tree; null if it would not. The code host shows the tree only
 * after the merge, so git builds the tree first.
 */
export async function objectionToTree(
  parts: BuiltByGit,
  { testedTree }: LandRequest,
  made: MadeByGit,
): Promise<LandRefusal | null> {
  const outcome = await made();
  if (outcome.type === 'missing_commit') throw unreadable(parts.host, `the commit ${outcome.commit}`);
  if (outcome.type === 'conflict') return { type: 'conflict', number: outcome.number, files: outcome.files };
  if (outcome.type === 'refused') return outcome;
  return testedTree === null || outcome.tree === testedTree ? null : { type: 'tree_differs', tree: outcome.tree };
}
