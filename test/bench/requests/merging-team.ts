import type { MergeMethod } from '../../../src/domain/code-host.port';
import type { Exchange } from '../../support/forge/exchange';
import type { LoggedRequest } from '../../support/forge/request-log';
import { World } from '../../support/world';
import { GitHubContract } from '../../contract/github/contract';

export type SubmittedBy = 'comment' | 'API';

export interface TeamOptions {
  readonly mergeMethod: MergeMethod;
  readonly submittedBy: SubmittedBy;
  /** How often GitHub answers after a push that it does not know yet whether the pull request can be merged. */
  readonly unknownReads: number;
}

/** What was asked of GitHub while one pull request went from its opening to its merge. */
export interface MergedPullRequest {
  readonly requests: readonly LoggedRequest[];
  /** Of the two slow looks that came while it was tested; nothing happened between them. */
  readonly looks: readonly (readonly LoggedRequest[])[];
  /** What its comments say in the end. */
  readonly comments: readonly string[];
}

const STATUS = 'tests';
const LONGEST_DELAY_MINUTES = 3;

/** People who merge one pull request after another, with everything switched on that is shown on GitHub. */
export class MergingTeam {
  private constructor(
    private readonly world: World,
    private readonly submittedBy: SubmittedBy,
    /** What was sent or answered that GitHub does not describe. */
    readonly complaints: readonly string[],
  ) {}

  static async start({ mergeMethod, submittedBy, unknownReads }: TeamOptions): Promise<MergingTeam> {
    const contract = GitHubContract.load();
    const complaints: string[] = [];
    const onExchange = (exchange: Exchange): void => void complaints.push(...complaintsAbout(contract, exchange));
    const world = await World.create({ host: 'github', onExchange });
    world.githubRepository.answerUnknown(unknownReads);
    world.githubRepository.changePermission('grace', 'write');
    const shown = { commentsEnabled: true, statusCheckEnabled: true, createPrsForTestingBranches: true };
    await world.createQueue({ requiredStatuses: [STATUS], mergeMethod, commandsEnabled: true, ...shown });
    return new MergingTeam(world, submittedBy, complaints);
  }

  close(): Promise<void> {
    return this.world.close();
  }

  /** Throws when it was not merged. */
  async merge(reports: 'not uploaded' | 'uploaded' = 'not uploaded'): Promise<MergedPullRequest> {
    const { world } = this;
    const repository = world.githubRepository;
    world.github.requests.clear();
    const name = `${repository.record.highestNumber + 1}.txt`;
    const { number } = repository.openPullRequest({ [name]: 'new\n' }, { by: 'ada' });
    await world.settles();
    await this.submit(number);
    await world.advance(1);
    const before = world.github.requests.all.splice(0);
    const looks: LoggedRequest[][] = [];
    for (let look = 0; look < 2; look++) {
      await world.looksAtHost();
      looks.push(world.github.requests.all.splice(0));
    }
    const tested = repository.tip(this.testingBranchOf(number));
    for (const state of ['pending', 'success'] as const) {
      if (reports === 'uploaded') await this.upload(number, tested, state);
      repository.setStatus(tested, STATUS, state);
      await world.settles();
    }
    await world.advance(LONGEST_DELAY_MINUTES);
    const state = await world.stateOf(number);
    if (state !== 'merged') throw new Error(`#${number} is ${state}`);
    const comments = repository.comments(number).map(({ body }) => body);
    return { requests: [...before, ...world.github.requests.all], looks, comments };
  }

  /** A job uploads failures that nobody has to mend; each time another one. */
  private async upload(number: number, commit: string, name: string): Promise<void> {
    const branch = this.testingBranchOf(number);
    await this.world.uploadTests({ [name]: 'failed', others: 'passed' }, { commit, branch });
    await this.world.settles();
  }

  private async submit(number: number): Promise<void> {
    if (this.submittedBy === 'API') await this.world.submit(number);
    else this.world.githubRepository.comment(number, '/sluice merge', 'grace');
    await this.world.settles();
  }

  private testingBranchOf(number: number): string {
    const branches = this.world.githubRepository.branches();
    const branch = branches.find((one) => one.startsWith(`sluice-merge/pr-${number}/`));
    if (branch === undefined) throw new Error(`Nothing tests #${number}`);
    return branch;
  }
}

function complaintsAbout(contract: GitHubContract, exchange: Exchange): readonly string[] {
  const { operation, requestErrors, responseErrors } = contract.checkExchange(exchange);
  const where = operation ?? `${exchange.method} ${exchange.path}`;
  return [
    ...requestErrors.map((error) => `${where}: ${error}`),
    ...responseErrors.map((error) => `${where}, answer ${exchange.status}: ${error}`),
  ];
}
