import type {
  BranchTip,
  BuildRequest,
  CodeHost,
  HostRepository,
  LandRequest,
  MergeMethod,
  PullRequestAtHead,
  PushOutcome,
} from '../../domain/code-host.port';
import type { ContractChanges, HostWorld } from './host-world';
import { landingToTheEnd } from './land-to-the-end';

export const CONTRACT_METHODS: readonly MergeMethod[] = ['merge_commit', 'squash', 'rebase'];
export const NOON = new Date('2026-03-01T12:00:00Z');
export const AFTER_NOON = new Date('2026-03-01T12:00:01Z');
export const TESTING_BRANCH = 'sluice-merge/pr-1/run';
export const TEST_RUN = '6b4a1c52-9a43-4c5e-8f0b-0d9b8e6f2a11';
/** A commit that does not exist at any host. */
export const ABSENT_COMMIT = '1'.repeat(40);

export type TestedLanding = LandRequest & { readonly testedCommit: string };

/**
 * The host of one test, the world of the host, and common steps of tests. Tests destructure the steps that they need.
 */
export class HostUnderTest {
  readonly host: CodeHost;
  readonly repository: HostRepository;

  constructor(readonly world: HostWorld) {
    this.host = landingToTheEnd(world.host, world);
    this.repository = world.repository;
  }

  readonly tip = async (branch = 'main'): Promise<BranchTip> => {
    const found = await this.host.readBranch(this.repository, branch);
    if (found === null) throw new Error(`There is no branch ${branch}`);
    return found;
  };

  readonly at = (number: number, head: string): PullRequestAtHead => ({
    number,
    head,
    title: `Change ${number}`,
    body: 'Because.',
    author: 'Ada',
    authorEmail: 'ada@example.invalid',
    headBranch: null,
  });

  readonly open = async (number: number, changes?: ContractChanges, from?: string): Promise<PullRequestAtHead> =>
    this.at(number, await this.world.openPullRequest(number, changes ?? { [`${number}.txt`]: `${number}\n` }, from));

  /**
   * True: a merge is one move of the target branch, guarded by its expected tip. Otherwise a merge is as atomic as the
   * host allows.
   */
  readonly landsInOneMove = (method: MergeMethod): boolean => this.host.landsWholeRuns(this.repository, method);

  readonly requestFor = async (
    pullRequests: readonly PullRequestAtHead[],
    more: Partial<BuildRequest> = {},
  ): Promise<BuildRequest> => {
    const { commit } = await this.tip();
    return {
      repository: this.repository,
      targetBranch: 'main',
      onto: commit,
      targetTip: commit,
      alreadyMerged: [],
      pullRequests,
      mergeMethod: this.usualMethod(),
      committedAt: NOON,
      ...more,
    };
  };

  readonly build = async (request: BuildRequest): Promise<BranchTip> => {
    const outcome = await this.host.buildCandidate(request);
    if (outcome.type !== 'built') throw new Error(`Not built: ${JSON.stringify(outcome)}`);
    return outcome;
  };

  readonly push = (commit: string, branch = TESTING_BRANCH): Promise<PushOutcome> => {
    const { host, repository } = this;
    return host.pushTestingBranch({ repository, branch, commit, testRunId: TEST_RUN, requiredStatuses: ['test'] });
  };

  /** Prepares a merge without pushing a testing branch: the result is known, so no test run is needed. */
  readonly landingOf = async (
    pullRequests: readonly PullRequestAtHead[],
    more: Partial<BuildRequest> = {},
  ): Promise<TestedLanding> => {
    const request = await this.requestFor(pullRequests, more);
    const candidate = await this.build(request);
    return {
      ...request,
      committedAt: AFTER_NOON,
      expectedTip: request.targetTip,
      testedCommit: candidate.commit,
      testedTree: candidate.tree,
      testingBranches: [TESTING_BRANCH],
    };
  };

  /** Builds and pushes a candidate, so that only the merge remains. */
  readonly tested = async (
    pullRequests: readonly PullRequestAtHead[],
    more: Partial<BuildRequest> = {},
  ): Promise<TestedLanding> => {
    const landing = await this.landingOf(pullRequests, more);
    await this.push(landing.testedCommit);
    return landing;
  };

  private usualMethod(): MergeMethod {
    return (['squash', ...CONTRACT_METHODS] as const).find(this.landsInOneMove) ?? 'squash';
  }
}
