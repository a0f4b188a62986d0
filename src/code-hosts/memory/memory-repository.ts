import type { BranchTip, Mergeability } from '../../domain/code-host.port';
import type { Clock } from '../../platform/clock/clock';
import { MemoryObjects, type Files, type MemoryCommit } from './memory-objects';

/** What a commit changes: the new content of a file, or null to remove it. */
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
  /** Answered one after another before the truth is, as a host does that has not worked it out yet. */
  mergeabilityAnswers: Mergeability[];
  /** Why the host refuses to land it; null: it does not. */
  refusal: string | null;
  /** As `refusal`, but a host that lands one at a time finds out only after it has merged those before it. */
  refusalMidway: string | null;
}

export type NewPullRequest = Partial<Omit<MemoryPullRequest, 'number' | 'head' | 'state'>> & {
  readonly files?: Changes;
  /** The commit it starts from; the base's tip when absent. */
  readonly from?: string;
};

/** One repository of a memory host, and what people do there. Everything takes effect at once. */
export class MemoryRepository {
  readonly objects = new MemoryObjects();
  readonly branches = new Map<string, string>();
  readonly pullRequests = new Map<number, MemoryPullRequest>();
  /** Statuses that the host's protection of a branch demands. */
  readonly protectedStatuses = new Map<string, readonly string[]>();

  constructor(
    private readonly clock: Clock,
    files: Files = { 'README.md': 'hello\n' },
  ) {
    const at = new Date(0);
    this.branches.set('main', this.objects.write({ files, parents: [], author: 'Ada', message: 'start', at }).id);
  }

  /** Answers the head. */
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
      refusal: null,
      refusalMidway: null,
      ...described,
      head: '',
      state: 'open',
    };
    pullRequest.head = this.commitOn(from ?? this.tip(pullRequest.base).commit, files, pullRequest);
    this.pullRequests.set(number, pullRequest);
    return pullRequest.head;
  }

  /** One more commit on the pull request; answers the new head. */
  pushToPullRequest(number: number, files: Changes): string {
    const pullRequest = this.pullRequest(number);
    pullRequest.head = this.commitOn(pullRequest.head, files, { title: 'one more commit', author: pullRequest.author });
    return pullRequest.head;
  }

  /** A commit past the queue; answers the new tip. */
  pushTo(branch: string, files: Changes, title = 'a push past the queue'): string {
    const commit = this.commitOn(this.tip(branch).commit, files, { title, author: 'Ada' });
    this.branches.set(branch, commit);
    return commit;
  }

  /** Somebody merges the pull request past the queue; answers the new tip. */
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

  /** To be changed in place: title, base, draft, state, mergeabilityAnswers, refusal, refusalMidway. */
  pullRequest(number: number): MemoryPullRequest {
    const pullRequest = this.pullRequests.get(number);
    if (pullRequest === undefined) throw new Error(`There is no pull request #${number}`);
    return pullRequest;
  }

  tip(branch: string): BranchTip {
    const commit = this.branches.get(branch);
    if (commit === undefined) throw new Error(`There is no branch ${branch}`);
    return { commit, tree: this.objects.get(commit).tree };
  }

  files(commit: string): Files {
    return this.objects.get(commit).files;
  }

  /** The commits a branch went through, newest first, without what merges brought in. */
  firstParents(branch: string): readonly MemoryCommit[] {
    const line: MemoryCommit[] = [];
    let next: string | undefined = this.tip(branch).commit;
    while (next !== undefined) {
      const commit: MemoryCommit = this.objects.get(next);
      line.push(commit);
      next = commit.parents[0];
    }
    return line;
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
