import type { BranchTip, Mergeability, UnmetDemand } from '../../domain/code-host.port';
import type { Clock } from '../../platform/clock/clock';
import { MemoryObjects, type Files, type MemoryCommit } from './memory-objects';

/** The changes of a commit by path: the new content of the file, or null to remove the file. */
export type Changes = Readonly<Record<string, string | null>>;

export interface MemoryPullRequest {
  readonly number: number;
  title: string;
  body: string;
  author: string;
  head: string;
  headBranch: string;
  base: string;
  state: 'open' | 'closed' | 'merged';
  draft: boolean;
  /**
   * The next answers about the mergeability. They come before the true answer, as at a host that is still computing it.
   */
  mergeabilityAnswers: Mergeability[];
  /** Unmet demands of the host. */
  unmet: readonly UnmetDemand[];
  /** What the host still waits for, and mentions only when it is asked to merge. Null if it waits for nothing. */
  notYet: string | null;
  /** Why a commit with the pull request cannot be built; null if it can be built. */
  poison: string | null;
  /** Why the host refuses to land the pull request; null if the host does not refuse. */
  refusal: string | null;
  /** Like `refusal`, but the host refuses only after it has merged the pull requests before this one. */
  refusalMidway: string | null;
  /** Files that the host leaves out of its merge commit, if the pull request is the last of a run. */
  leavesOut: readonly string[];
}

/** A push that gave a pull request its head. */
export interface MemoryPush {
  readonly number: number;
  readonly head: string;
  readonly at: Date;
  /** The login of the person who pushed. */
  readonly by: string;
}

/** The default branch, with which every repository starts. */
export const DEFAULT_BRANCH = 'main';

export type NewPullRequest = Partial<Omit<MemoryPullRequest, 'number' | 'head' | 'state'>> & {
  readonly files?: Changes;
  /** The commit on which the head is built. If absent, the tip of the base branch. */
  readonly from?: string;
};

/** One repository of a memory host, with methods for the actions of people. Everything takes effect at once. */
export class MemoryRepository {
  readonly objects = new MemoryObjects();
  readonly branches = new Map<string, string>();
  readonly pullRequests = new Map<number, MemoryPullRequest>();
  /** The host's record of pushes to pull requests, oldest first. */
  readonly pushes: MemoryPush[] = [];
  /** Why the host refuses a new testing branch with these commits; null if the host does not refuse. */
  pushRule: (commits: readonly MemoryCommit[]) => string | null = () => null;
  /** The statuses that the protection of a branch requires, by branch. */
  readonly protectedStatuses = new Map<string, readonly string[]>();

  constructor(
    private readonly clock: Clock,
    files: Files = { 'README.md': 'hello\n' },
  ) {
    const at = new Date(0);
    this.branches.set(
      DEFAULT_BRANCH,
      this.objects.write({ files, parents: [], author: 'Ada', message: 'start', at }).id,
    );
  }

  /** Opens a pull request, and returns its head. */
  openPullRequest(number: number, request: NewPullRequest = {}): string {
    const { files = { [`change-${number}.txt`]: `${number}\n` }, from, ...described } = request;
    const pullRequest: MemoryPullRequest = {
      number,
      title: `Change ${number}`,
      body: '',
      author: 'Ada',
      headBranch: `topic-${number}`,
      base: 'main',
      draft: false,
      mergeabilityAnswers: [],
      unmet: [],
      notYet: null,
      poison: null,
      refusal: null,
      refusalMidway: null,
      leavesOut: [],
      ...described,
      head: '',
      state: 'open',
    };
    pullRequest.head = this.commitOn(from ?? this.tip(pullRequest.base).commit, files, pullRequest);
    this.pullRequests.set(number, pullRequest);
    this.pushes.push({ number, head: pullRequest.head, at: this.clock.now(), by: pullRequest.author });
    return pullRequest.head;
  }

  /**
   * Adds a commit to the pull request, and returns the new head. `by`: the login of the person who pushes; if absent,
   * the author of the pull request.
   */
  pushToPullRequest(number: number, files: Changes, by = this.pullRequest(number).author): string {
    const pullRequest = this.pullRequest(number);
    pullRequest.head = this.commitOn(pullRequest.head, files, { title: 'one more commit', author: by });
    this.pushes.push({ number, head: pullRequest.head, at: this.clock.now(), by });
    return pullRequest.head;
  }

  /** Pushes a commit that bypasses the queue, and returns the new tip. */
  pushTo(branch: string, files: Changes, title = 'a push that bypasses the queue'): string {
    const commit = this.commitOn(this.tip(branch).commit, files, { title, author: 'Ada' });
    this.branches.set(branch, commit);
    return commit;
  }

  /** Merges the pull request manually, bypassing the queue, and returns the new tip. */
  mergeByHand(number: number): string {
    const pullRequest = this.pullRequest(number);
    const tip = this.objects.get(this.tip(pullRequest.base).commit);
    const merged = this.objects.merge(tip, this.objects.get(pullRequest.head));
    if (merged.type === 'conflict') throw new Error(`#${number} conflicts in ${merged.files.join(', ')}`);
    const parents = [tip.id, pullRequest.head];
    const at = this.clock.now();
    const commit = this.objects.write({ files: merged.files, parents, author: 'Ada', message: `Merge #${number}`, at });
    this.branches.set(pullRequest.base, commit.id);
    pullRequest.state = 'merged';
    return commit.id;
  }

  /** The pull request itself, of which tests may change all fields except the number. */
  pullRequest(number: number): MemoryPullRequest {
    const pullRequest = this.pullRequests.get(number);
    if (pullRequest === undefined) throw new Error(`There is no pull request #${number}`);
    return pullRequest;
  }

  /** The branches that have had the commit as their tip, out of `among` and the default branch. */
  branchesWith(commit: string, among: readonly string[]): readonly string[] {
    return [...new Set([DEFAULT_BRANCH, ...among])].filter((branch) => {
      const tip = this.branches.get(branch);
      return tip !== undefined && this.objects.firstParentsOf(tip).some(({ id }) => id === commit);
    });
  }

  tip(branch: string): BranchTip {
    const commit = this.branches.get(branch);
    if (commit === undefined) throw new Error(`There is no branch ${branch}`);
    return { commit, tree: this.objects.get(commit).tree };
  }

  /**
   * The message about a branch whose name prevents the testing branch; null if there is none. As in git, there cannot
   * be a branch `a/b` beside a branch `a`.
   */
  whatIsInTheWay(branch: string): string | null {
    const taken = [...this.branches.keys()].find((name) => branch.startsWith(`${name}/`));
    return taken === undefined ? null : `the branch ${taken} is in the way of testing branches: rename or delete it`;
  }

  findTip(branch: string): BranchTip | null {
    return this.branches.has(branch) ? this.tip(branch) : null;
  }

  files(commit: string): Files {
    return this.objects.get(commit).files;
  }

  /** The commits of a branch, newest first, along first parents. */
  firstParents(branch: string): readonly MemoryCommit[] {
    return this.objects.firstParentsOf(this.tip(branch).commit);
  }

  private commitOn(
    parent: string,
    changes: Changes,
    about: { readonly title: string; readonly author: string },
  ): string {
    const files = Object.entries({ ...this.objects.get(parent).files, ...changes });
    const kept = Object.fromEntries(files.filter((entry): entry is [string, string] => entry[1] !== null));
    const at = this.clock.now();
    return this.objects.write({ files: kept, parents: [parent], author: about.author, message: about.title, at }).id;
  }
}

/** The mergeability of the pull request. Answers that a test has planned come first. */
export function mergeabilityOf(
  place: MemoryRepository,
  pullRequest: MemoryPullRequest,
  target: BranchTip | null,
): Mergeability {
  const planned = pullRequest.mergeabilityAnswers.shift();
  if (planned !== undefined) return planned;
  if (target === null || pullRequest.unmet.length > 0) return 'not_mergeable';
  const merged = place.objects.merge(place.objects.get(target.commit), place.objects.get(pullRequest.head));
  return merged.type === 'merged' ? 'mergeable' : 'not_mergeable';
}
