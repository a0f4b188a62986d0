import { World } from '../support/world';
import { checkedByContract } from '../contract/github-host';

const TARGET = 'main';
const STATUS = 'tests';

/**
 * People who work on GitHub with a queue for `main`. All requests of the service are checked against GitHub's API
 * description.
 */
export class GitHubTeam {
  private constructor(
    readonly world: World,
    private readonly exchanges: ReturnType<typeof checkedByContract>,
  ) {}

  static async start(settings: object = {}): Promise<GitHubTeam> {
    const exchanges = checkedByContract();
    const world = await World.create({ host: 'github', onExchange: exchanges.onExchange });
    world.githubRepository.answerUnknown(0);
    world.githubRepository.changePermission('grace', 'write');
    await world.createQueue({ requiredStatuses: [STATUS], concurrency: 4, ...settings });
    return new GitHubTeam(world, exchanges);
  }

  async close(): Promise<void> {
    await this.world.close();
    this.exchanges.assertFits();
  }

  /** Opens a pull request. Returns its number. */
  open(files?: Record<string, string>): number {
    const { githubRepository } = this.world;
    const name = `${githubRepository.record.highestNumber + 1}.txt`;
    return githubRepository.openPullRequest(files ?? { [name]: 'new\n' }, { by: 'ada' }).number;
  }

  async say(number: number, body: string): Promise<void> {
    this.world.githubRepository.comment(number, body, 'grace');
    await this.world.settles();
  }

  /** CI reports this state for the tests of this pull request. */
  async finish(number: number, state: 'success' | 'failure' = 'success'): Promise<void> {
    const branch = this.testingBranchOf(number);
    if (branch === undefined) throw new Error(`Nothing tests #${number}`);
    this.world.githubRepository.setStatus(this.world.githubRepository.tip(branch), STATUS, state);
    await this.world.settles();
  }

  testingBranchOf(number: number): string | undefined {
    return this.world.githubRepository.branches().find((name) => name.startsWith(`sluice-merge/pr-${number}/`));
  }

  /** Time passes, and every few minutes the service polls GitHub. */
  async pass(minutes: number, step = 10): Promise<void> {
    for (let passed = 0; passed < minutes; passed += step) {
      await this.world.advance(step);
      await this.world.looksAtHost();
    }
  }

  async waitingFor(number: number): Promise<string> {
    return String((await this.world.record(number)).waitingFor);
  }

  /** The text of Sluice's comment on the pull request. */
  shown(number: number): string {
    const bodies = this.world.githubRepository.comments(number).map(({ body }) => body);
    return bodies.find((body) => body.includes('<!-- sluice-merge-queue -->')) ?? '';
  }

  filesOnTarget(): readonly string[] {
    const { githubRepository } = this.world;
    return Object.keys(githubRepository.files(githubRepository.tip(TARGET)));
  }
}
