import type { HostRepository, LandRequest, LandOutcome } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { type OneByOne, mergeOneByOne } from '../../git/merge-one-by-one';
import { at, textAt } from '../../reading';
import { repositoryKey } from '../../repository-path';
import type { GiteaApi } from '../client/gitea-api';
import type { GiteaPullRequests, LandingMeans } from '../reading/gitea-pull-requests';
import { objectionToPullRequest, objectionToRun } from './landing-objections';
import { mergeByCall } from './merge-call';
import { MergeMarks } from './merge-marks';

/** After a refused push the merge call is used for so long. Then a push is tried again, as people may have allowed it. */
const TRY_TO_PUSH_AGAIN_MS = 10 * 60_000;

export interface GiteaLandingParts extends Pick<OneByOne, 'byGit'> {
  readonly api: GiteaApi;
  readonly clock: Clock;
  readonly reader: GiteaPullRequests;
}

/**
 * Lands by one push of the tested commits, whatever the merge method, and then has every pull request marked as merged. Where
 * the service may not push to the target, the host's own operation merges one pull request after another.
 */
export class GiteaLanding {
  private readonly mayNotPushUntil = new Map<string, number>();
  private readonly oneByOne: OneByOne;
  private readonly marks: MergeMarks;

  constructor(private readonly parts: GiteaLandingParts) {
    const { api, byGit, reader, clock } = parts;
    this.marks = new MergeMarks(api, clock);
    this.oneByOne = {
      ...{ host: api.host, byGit },
      mergedAs: async ({ repository }, number) => {
        const answer = await api.read(repository, `pulls/${number}`);
        return at(answer?.body, 'merged') === true ? textAt(answer?.body, 'merge_commit_sha') : null;
      },
      merge: (request, pullRequest) => mergeByCall(api, request, pullRequest),
      objectionToOne: (request, pullRequest) => objectionToPullRequest(reader, request, pullRequest, 'merge'),
      objectionToAny: (request) => objectionToRun(reader, request, 'merge'),
    };
  }

  async land(request: LandRequest): Promise<LandOutcome> {
    const { repository, targetBranch } = request;
    if (this.means(repository, targetBranch) === 'merge') return mergeOneByOne(this.oneByOne, request);
    const { byGit, reader } = this.parts;
    const outcome = await byGit(request, (git) => git.land(request, () => objectionToRun(reader, request, 'push')));
    if (outcome.type === 'landed') await this.marks.mark(request, outcome.commits);
    // An earlier try may have gone through the merge call.
    if (outcome.type === 'target_moved') return mergeOneByOne(this.oneByOne, request);
    if (outcome.type !== 'refused' || outcome.byRule === true) return outcome;
    this.mayNotPushUntil.set(targetOf(repository, targetBranch), this.now() + TRY_TO_PUSH_AGAIN_MS);
    return mergeOneByOne(this.oneByOne, request);
  }

  /** How a pull request would land there now. */
  means(repository: HostRepository, targetBranch: string): LandingMeans {
    return this.now() < (this.mayNotPushUntil.get(targetOf(repository, targetBranch)) ?? 0) ? 'merge' : 'push';
  }

  /** Whether a push to any branch of the repository was refused of late. */
  mergesOneByOne(repository: HostRepository): boolean {
    const prefix = targetOf(repository, '');
    const now = this.now();
    return [...this.mayNotPushUntil].some(([target, until]) => target.startsWith(prefix) && now < until);
  }

  private now(): number {
    return this.parts.clock.now().getTime();
  }
}

function targetOf(repository: HostRepository, targetBranch: string): string {
  return `${repositoryKey(repository)} ${targetBranch}`;
}
