import type {
  AboveMergedQuestion,
  BranchRemoval,
  BranchTip,
  BuildRequest,
  CandidateOutcome,
  ChangedFilesQuestion,
  CodeHost,
  CommitsQuestion,
  FileChangeQuestion,
  FileVersionsRequest,
  HostCapabilities,
  HostState,
  HostRepository,
  LandRequest,
  LandOutcome,
  PullRequestObservation,
  PushRequest,
  PushOutcome,
  TooLarge,
} from '../../domain/code-host.port';
import type { Clock } from '../../platform/clock/clock';
import { HostUnavailable } from '../../domain/code-host.port';
import type { LetterCase } from '../../domain/host-repository';
import { buildInMemory } from './memory-candidate';
import { MemoryFaults } from './memory-faults';
import { changedPaths, idsBeyond, isTextChanged, fileTextAt, textVersions } from './memory-files';
import { examineInMemory } from './memory-ground';
import { landInMemory } from './memory-landing';
import { MemoryConversation } from './memory-conversation';
import { mergeabilityOf, MemoryRepository, type MemoryPullRequest } from './memory-repository';

/** A small host for tests that keeps everything in this process. Its answers depend only on its state. */
export class MemoryHost implements CodeHost {
  readonly capabilities: HostCapabilities = { findsByBranch: true, hasOwnStatuses: false };
  readonly faults = new MemoryFaults();
  /** Absent until `openConversation` is called. */
  conversation?: MemoryConversation;
  private landing: 'whole runs' | 'one at a time' = 'whole runs';
  private readonly repositories = new Map<string, MemoryRepository>();

  constructor(
    readonly host: string,
    readonly pollSeconds: number,
    private readonly clock: Clock,
    private readonly letterCase: LetterCase = 'significant',
  ) {}

  /** Lets the host land from now on like a host that merges one pull request at a time. */
  landOneAtATime(): void {
    this.landing = 'one at a time';
  }

  landsWholeRuns(): boolean {
    return this.landing === 'whole runs';
  }

  /** Lets the host accept comments and statuses of pull requests from now on. */
  openConversation(): MemoryConversation {
    this.conversation ??= new MemoryConversation(this.faults, (repository) => this.at(repository));
    return this.conversation;
  }

  /** The repository, which is created with one commit on `main` if it is missing. */
  repository(owner: string, name: string): MemoryRepository {
    const key = this.keyOf(owner, name);
    const repository = this.repositories.get(key) ?? new MemoryRepository(this.clock);
    this.repositories.set(key, repository);
    return repository;
  }

  removeRepository(owner: string, name: string): void {
    this.repositories.delete(this.keyOf(owner, name));
  }

  findRepository({ owner, name }: HostRepository): Promise<'found' | 'unknown'> {
    return this.faults.around('findRepository', () =>
      this.repositories.has(this.keyOf(owner, name)) ? 'found' : 'unknown',
    );
  }

  readBranch(repository: HostRepository, branch: string): Promise<BranchTip | null> {
    return this.faults.around('readBranch', () => this.at(repository).findTip(branch));
  }

  readPullRequest(
    repository: HostRepository,
    number: number,
    targetBranch: string,
  ): Promise<PullRequestObservation | null> {
    const observedAt = this.clock.now();
    return this.faults.around('readPullRequest', () => {
      const pullRequest = this.at(repository).pullRequests.get(number);
      return pullRequest === undefined ? null : this.observe(repository, pullRequest, targetBranch, observedAt);
    });
  }

  examineAboveMerged(
    repository: HostRepository,
    question: AboveMergedQuestion,
  ): Promise<'merges' | 'conflicts' | 'unknown'> {
    return this.faults.around('examineAboveMerged', () => examineInMemory(this.at(repository), question));
  }

  findPullRequestsByBranch(repository: HostRepository, headBranch: string): Promise<readonly number[] | 'unsupported'> {
    return this.faults.around('findPullRequestsByBranch', () => {
      if (!this.capabilities.findsByBranch) return 'unsupported';
      const found = [...this.at(repository).pullRequests.values()].filter((one) => one.headBranch === headBranch);
      const openFirst = (one: MemoryPullRequest) => (one.state === 'open' ? 0 : 1);
      return found.sort((a, b) => openFirst(a) - openFirst(b) || b.number - a.number).map(({ number }) => number);
    });
  }

  readTree(repository: HostRepository, commit: string): Promise<string | null> {
    return this.faults.around('readTree', () => this.at(repository).objects.find(commit)?.tree ?? null);
  }

  containsCommit(repository: HostRepository, commit: string, ancestor: string): Promise<boolean> {
    return this.faults.around('containsCommit', () => {
      const { objects } = this.at(repository);
      return objects.find(commit) !== undefined && objects.isAncestor(ancestor, commit);
    });
  }

  findContained(repository: HostRepository, commit: string, heads: readonly string[]): Promise<readonly string[]> {
    return this.faults.around('findContained', () => {
      const { objects } = this.at(repository);
      return objects.find(commit) === undefined ? [] : heads.filter((head) => objects.isAncestor(head, commit));
    });
  }

  findBranchesWith(repository: HostRepository, commit: string, among: readonly string[]): Promise<readonly string[]> {
    return this.faults.around('findBranchesWith', () => this.at(repository).branchesWith(commit, among));
  }

  readFile(
    repository: HostRepository,
    commit: string,
    path: string,
    maxBytes = Infinity,
  ): Promise<string | null | TooLarge> {
    return this.faults.around('readFile', () => fileTextAt(this.at(repository).objects, commit, path, maxBytes));
  }

  readFileVersions(request: FileVersionsRequest): Promise<readonly (string | null)[]> {
    const { objects } = this.at(request.repository);
    return this.faults.around('readFileVersions', () => textVersions(objects, request));
  }

  changesFile(repository: HostRepository, question: FileChangeQuestion): Promise<boolean> {
    return this.faults.around('changesFile', () => isTextChanged(this.at(repository).objects, question));
  }

  listChangedFiles(
    repository: HostRepository,
    question: ChangedFilesQuestion,
  ): Promise<readonly string[] | 'too_many' | 'unknown'> {
    return this.faults.around('listChangedFiles', () => changedPaths(this.at(repository).objects, question));
  }

  listCommits(repository: HostRepository, question: CommitsQuestion): Promise<readonly string[]> {
    return this.faults.around('listCommits', () => idsBeyond(this.at(repository).objects, question));
  }

  readProtectedStatuses(repository: HostRepository, branch: string): Promise<readonly string[]> {
    return this.faults.around('readProtectedStatuses', () => this.at(repository).protectedStatuses.get(branch) ?? []);
  }

  readStatuses(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  readState(repository: HostRepository, branches: readonly string[], numbers: readonly number[]): Promise<HostState> {
    return this.faults.around('readState', () => {
      const place = this.at(repository);
      return {
        branches: new Map(branches.map((branch) => [branch, place.findTip(branch)])),
        pullRequestHeads: new Map(numbers.map((number) => [number, place.pullRequests.get(number)?.head ?? null])),
      };
    });
  }

  async buildCandidate(request: BuildRequest): Promise<CandidateOutcome> {
    const place = this.at(request.repository);
    return buildInMemory(place, request, (build) => this.faults.around('buildCandidate', build));
  }

  pushTestingBranch({ repository, branch, commit }: PushRequest): Promise<PushOutcome> {
    return this.faults.around('pushTestingBranch', () => {
      const place = this.at(repository);
      const there = place.branches.get(branch);
      if (there !== undefined && there !== commit) return { type: 'exists_elsewhere', commit: there };
      const rule = there === undefined ? place.pushRule(place.objects.historyOf(commit)) : null;
      const why = rule ?? place.whatIsInTheWay(branch);
      if (why !== null) return { type: 'refused', why };
      place.branches.set(branch, place.objects.get(commit).id);
      return { type: 'pushed' };
    });
  }

  removeTestingBranch(repository: HostRepository, branch: string): Promise<BranchRemoval> {
    return this.faults.around('removeTestingBranch', () => {
      this.at(repository).branches.delete(branch);
      return { type: 'removed' };
    });
  }

  land(request: LandRequest): Promise<LandOutcome> {
    const { repository, targetBranch } = request;
    const observedAt = this.clock.now();
    const observe = (one: MemoryPullRequest) => this.observe(repository, one, targetBranch, observedAt);
    return this.faults.around('land', () => landInMemory(this.at(repository), request, observe));
  }

  private observe(
    repository: HostRepository,
    pullRequest: MemoryPullRequest,
    targetBranch: string,
    observedAt: Date,
  ): PullRequestObservation {
    const place = this.at(repository);
    const { number, title, body, author, head, headBranch, base, state, draft, unmet } = pullRequest;
    const target = place.findTip(targetBranch);
    const isMerged = target !== null && place.objects.isAncestor(head, target.commit);
    return {
      ...{ number, title, body, author, head, headBranch, base, draft, unmet, observedAt },
      authorEmail: `${author.toLowerCase()}@${this.host}`,
      url: `https://${this.host}/${repository.owner}/${repository.name}/pull/${number}`,
      state: isMerged ? 'merged' : state,
      mergeability: mergeabilityOf(place, pullRequest, target),
    };
  }

  private keyOf(owner: string, name: string): string {
    const key = `${owner}/${name}`;
    return this.letterCase === 'ignored' ? key.toLowerCase() : key;
  }

  private at({ owner, name }: HostRepository): MemoryRepository {
    const repository = this.repositories.get(this.keyOf(owner, name));
    if (repository !== undefined) return repository;
    throw new HostUnavailable(this.host, 'no_answer', `${owner}/${name} is not there.`);
  }
}
