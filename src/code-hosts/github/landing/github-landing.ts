import type {
  HostRepository,
  LandRequest,
  LandOutcome,
  MergeMethod,
  PullRequestAtHead,
} from '../../../domain/code-host.port';
import { mergeMessageOf } from '../../git/commit-objects';
import { squashOf } from '../../git/squash-message';
import { type OneByOne, mergeOneByOne } from '../../git/merge-one-by-one';
import { RecentBuilds } from '../../git/recent-builds';
import { at, textAt } from '../../reading';
import { memberUpTo } from '../../stack-member';
import { repositoryKey } from '../client/routes';
import type { LandingBy } from '../reading/aim';
import { MergesOfLanding } from './asked-merges';
import { type BackgroundMergeParts, BackgroundMerges } from './background-merges';
import { objectionToAny, objectionToOne } from './landing-objections';
import { guardedMerge } from './merge-button';
import { objectionToLayers } from './stack-objections';

export type GitHubLandingParts = Pick<OneByOne, 'byGit'> & BackgroundMergeParts;

/**
 * After a refused push, the merge button is used for this long. Then the service tries a push again, because somebody
 * may have allowed it.
 */
const TRY_TO_PUSH_AGAIN_MS = 10 * 60_000;
const NOT_ALLOWED_TO_PUSH = /GH006|GH013|protected branch|repository rule|not (allowed|authorized|permitted)|declined/i;

/**
 * Lands merge commits by one push of the tested commits, if the app may push to the target. GitHub then marks the pull
 * requests as merged, because the target contains their heads. In all other cases GitHub merges (the merge button), one
 * pull request after another, in the background if the server supports it. In a stack, GitHub merges the highest layer
 * together with all layers below.
 */
export class GitHubLanding {
  private readonly mayNotPushUntil = new Map<string, number>();

  private readonly builds = new RecentBuilds();
  private readonly background: BackgroundMerges;

  constructor(private readonly parts: GitHubLandingParts) {
    this.background = new BackgroundMerges(parts);
  }

  async land(request: LandRequest): Promise<LandOutcome> {
    const { repository, targetBranch, mergeMethod, pullRequests } = request;
    const [first] = pullRequests;
    if (first !== undefined) await this.parts.api.requireSameBy(repository, first.number);
    const merges = new MergesOfLanding(request.memory);
    // While a requested merge may still happen, nothing is pushed.
    const isStacked = pullRequests.some(({ stack }) => stack != null);
    if (merges.hasAsked || isStacked || this.means(repository, targetBranch, mergeMethod) === 'button')
      return this.landByButton(request, merges);
    const outcome = await this.parts.byGit(request, (git) =>
      git.land(request, () => objectionToAny(this.parts, request, 'push')),
    );
    // The target may have moved because an earlier attempt used the button.
    if (outcome.type === 'target_moved') return this.landByButton(request, merges);
    if (outcome.type !== 'refused' || !NOT_ALLOWED_TO_PUSH.test(outcome.why)) return outcome;
    this.mayNotPushUntil.set(targetOf(request), this.parts.clock.now().getTime() + TRY_TO_PUSH_AGAIN_MS);
    return this.landByButton(request, merges);
  }

  private async landByButton(request: LandRequest, merges: MergesOfLanding): Promise<LandOutcome> {
    const stands = await this.background.follow(request, merges);
    if (stands !== null && 'type' in stands) return stands;
    return mergeOneByOne(this.buttonFor(merges), request, stands);
  }

  private buttonFor(merges: MergesOfLanding): OneByOne {
    const { parts } = this;
    const { api, byGit } = parts;
    // Facts that this attempt has just read for all pull requests are not read again at once.
    let hasLookedAtAll = false;
    return {
      ...{ host: api.host, byGit, builds: this.builds },
      mergedAs: async ({ repository }, number) => merges.commitOf(number) ?? this.mergedAs(repository, number),
      merge: async (request, pullRequest, expectedTip) => {
        hasLookedAtAll = false;
        if (this.isPushed(request, pullRequest)) {
          const pushed = await this.pushOne(request, pullRequest, expectedTip);
          // GitHub shows the pull request as merged only some time later, so the commit is noted.
          if (typeof pushed === 'string') merges.end(pullRequest.number, pushed);
          return pushed;
        }
        // For a stack, GitHub writes each message itself, so no message is sent.
        const isAlone = memberUpTo(request.pullRequests, pullRequest.number).length === 1;
        const message = isAlone ? await this.messageFor(request, pullRequest) : null;
        const merge = guardedMerge(request, pullRequest, message);
        return this.background.ask(request, pullRequest, merge, merges);
      },
      objectionToOne: (request, pullRequest) =>
        objectionToOne(parts, request, pullRequest, this.isPushed(request, pullRequest) ? 'push' : 'button'),
      objectionToStack: async (request, layers) => {
        for (const layer of hasLookedAtAll ? [] : layers) {
          const objection = await objectionToOne(parts, request, layer, 'button');
          if (objection !== null) return objection;
        }
        return objectionToLayers(parts, request, layers);
      },
      objectionToAny: async (request) => {
        hasLookedAtAll = true;
        const isAnyPushed = request.pullRequests.some((one) => this.isPushed(request, one));
        return objectionToAny(parts, request, isAnyPushed ? 'push' : 'button');
      },
    };
  }

  /** Whether the pull request is in no stack, but lands together with a stack. */
  private isPushed({ repository, targetBranch, mergeMethod, pullRequests }: LandRequest, { stack }: PullRequestAtHead) {
    const isBesideStack = pullRequests.some((one) => one.stack != null) && stack == null;
    return isBesideStack && this.means(repository, targetBranch, mergeMethod) === 'push';
  }

  private async pushOne(request: LandRequest, pullRequest: PullRequestAtHead, onto: string) {
    const alone = {
      ...request,
      onto,
      expectedTip: onto,
      pullRequests: [pullRequest],
      testedCommit: null,
      testedTree: null,
      testingBranches: [],
    };
    const outcome = await this.parts.byGit(request, (git) => git.land(alone, () => Promise.resolve(null)));
    if (outcome.type === 'landed') return outcome.tip.commit;
    if (outcome.type === 'landed_partly') throw new Error('One pull request merged only in part');
    return outcome;
  }

  /**
   * The way in which a pull request for this branch lands at present. Without a merge method, the way that demands
   * less.
   */
  means(repository: HostRepository, targetBranch: string, mergeMethod: MergeMethod = 'merge_commit'): LandingBy {
    return mergeMethod !== 'merge_commit' || this.mayNotPush({ repository, targetBranch }) ? 'button' : 'push';
  }

  /**
   * The message to send; null if GitHub writes it. For a squash, GitHub writes the message for which the repository is
   * set up, unless that message contains words that skip CI.
   */
  private async messageFor(request: LandRequest, pullRequest: PullRequestAtHead): Promise<string | null> {
    if (request.mergeMethod === 'rebase') return null;
    if (request.mergeMethod === 'merge_commit') return mergeMessageOf(pullRequest);
    return this.parts.byGit(request, async (git) => {
      const clone = await git.clone(request.repository);
      const { message, hasSkipWords } = await squashOf(clone, request.expectedTip, pullRequest);
      return hasSkipWords ? message : null;
    });
  }

  private async mergedAs(repository: HostRepository, number: number): Promise<string | null> {
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
    const answer = await this.parts.api.read(repository, route, { pull_number: number });
    return at(answer?.body, 'merged') === true ? textAt(answer?.body, 'merge_commit_sha') : null;
  }

  private mayNotPush(target: Target): boolean {
    return this.parts.clock.now().getTime() < (this.mayNotPushUntil.get(targetOf(target)) ?? 0);
  }
}

type Target = Pick<LandRequest, 'repository' | 'targetBranch'>;

function targetOf({ repository, targetBranch }: Target): string {
  return `${repositoryKey(repository)} ${targetBranch}`;
}
