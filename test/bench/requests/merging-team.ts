import type { MergeMethod } from '../../../src/domain/code-host.port';
import type { LoggedRequest } from '../../support/forge/request-log';
import { World } from '../../support/world';
import type { CountedForge } from './forges';

export type SubmittedBy = 'comment' | 'API';

/** How the service learns of events: at once, or by the next poll. */
export type News = 'webhooks' | 'polling';

export interface TeamOptions {
  readonly forge: CountedForge;
  readonly mergeMethod: MergeMethod;
  readonly submittedBy: SubmittedBy;
  readonly news: News;
  /** How many pull requests are tested and merged together; 1 if each is tested alone. */
  readonly together: number;
  /** The number of reads after a push that find the mergeability unknown. */
  readonly unknownReads: number;
}

/**
 * The requests to the host from the opening of the pull requests to their merge. These pull requests are merged
 * together.
 */
export interface MergedPullRequests {
  readonly numbers: readonly number[];
  readonly requests: readonly LoggedRequest[];
  /**
   * Requests of the slow polls during the tests. The polls are a minute apart, and nothing happens between two polls.
   */
  readonly looks: readonly (readonly LoggedRequest[])[];
  /** The final text of each comment of Sluice on these pull requests. */
  readonly comments: readonly string[];
}

const STATUS = 'tests';
/** After this many polls, all data that settles slowly has been read again. */
const LOOKS = 3;
const LONGEST_DELAY_MINUTES = 3;

/**
 * People who merge one pull request, or one batch, after another. Every feature of the service that shows on a code
 * host is enabled.
 */
export class MergingTeam {
  private readonly forge: ReturnType<CountedForge['at']>;
  private opened = 0;

  private constructor(
    private readonly world: World,
    private readonly options: TeamOptions,
    /** Throws when a request or an answer violates the host's description. */
    readonly assertFits: () => void,
  ) {
    this.forge = options.forge.at(world);
  }

  static async start(options: TeamOptions): Promise<MergingTeam> {
    const { forge, mergeMethod, news, together, unknownReads } = options;
    const checked = forge.checked();
    const world = await World.create({ host: forge.kind, onExchange: checked.onExchange });
    const { place, webhooks } = forge.at(world);
    if (news === 'polling') webhooks.deliverTo(null);
    forge.answerUnknown?.(world, unknownReads);
    place.changePermission('grace', 'write');
    const shown = { commentsEnabled: true, statusCheckEnabled: true, createPrsForTestingBranches: true };
    const batches = together > 1 ? { batch: true, batchingMinSize: together } : {};
    await world.createQueue({ requiredStatuses: [STATUS], mergeMethod, commandsEnabled: true, ...shown, ...batches });
    return new MergingTeam(world, options, checked.assertFits);
  }

  close(): Promise<void> {
    return this.world.close();
  }

  /** Throws when a pull request was not merged. */
  async merge(reports: 'not uploaded' | 'uploaded' = 'not uploaded'): Promise<MergedPullRequests> {
    const { world, options } = this;
    const { requests, place } = this.forge;
    requests.clear();
    const numbers = Array.from({ length: options.together }, () => this.open());
    await this.hears();
    for (const number of numbers) await this.submit(number);
    await this.hears();
    await world.advance(1);
    const before = requests.all.splice(0);
    const looks: LoggedRequest[][] = [];
    for (let look = 0; look < LOOKS; look++) {
      await world.advance(1);
      await world.looksAtHost();
      looks.push(requests.all.splice(0));
    }
    const branch = this.testingBranch();
    const tested = place.tip(branch);
    for (const state of ['pending', 'success'] as const) {
      if (reports === 'uploaded') await this.upload(branch, tested, state);
      place.setStatus(tested, STATUS, state);
      await this.hears();
    }
    // Without webhooks, the service polls a host that merges in the background.
    if (options.news === 'polling')
      for (let looks = 0; looks < numbers.length; looks++) await world.seesBackgroundMerge();
    await world.advance(LONGEST_DELAY_MINUTES);
    for (const number of numbers) {
      const state = await world.stateOf(number);
      if (state !== 'merged') throw new Error(`#${number} is ${state}`);
    }
    const comments = numbers.flatMap((number) => place.comments(number).map(({ body }) => body));
    return { numbers, requests: [...before, ...requests.all], looks, comments };
  }

  private open(): number {
    const files = { [`${++this.opened}.txt`]: 'new\n' };
    return this.forge.place.openPullRequest(files, { by: 'ada' }).number;
  }

  private async hears(): Promise<void> {
    await this.world.settles();
    if (this.options.news === 'polling') await this.world.looksAtHost();
  }

  /** Each time, a CI job uploads a failure of a new test. The upload is no reason to reject the pull request. */
  private async upload(branch: string, commit: string, name: string): Promise<void> {
    await this.world.uploadTests({ [name]: 'failed', others: 'passed' }, { commit, branch });
    await this.world.settles();
  }

  private async submit(number: number): Promise<void> {
    if (this.options.submittedBy === 'API') await this.world.submit(number);
    else this.forge.place.comment(number, '/sluice merge', 'grace');
    await this.world.settles();
  }

  private testingBranch(): string {
    const branches = this.forge.place.branches().filter((one) => one.startsWith('sluice-merge/'));
    if (branches.length !== 1) throw new Error(`Not one testing branch, but ${branches.join(', ') || 'none'}`);
    return branches[0]!;
  }
}
