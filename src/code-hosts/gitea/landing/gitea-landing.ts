import type {
  HostRepository,
  MergedPullRequest,
  LandRequest,
  LandOutcome,
  PullRequestAtHead,
} from '../../../domain/code-host.port';
import { mergeMessageOf } from '../../git/commit-objects';
import { type OneByOne, mergeOneByOne } from '../../git/merge-one-by-one';
import { squashOf } from '../../git/squash-message';
import { tryToShow } from '../../shown-as-merged';
import { at, numberAt, textAt } from '../../reading';
import { repositoryKey } from '../../repository-path';
import type { GiteaApi } from '../client/gitea-api';
import type { GiteaPullRequests, LandingMeans } from '../reading/gitea-pull-requests';
import { objectionToPullRequest, objectionToRun } from './landing-objections';
import { mergeByCall } from './merge-call';
import { MergeMarks, type MergeMarksParts } from './merge-marks';

/**
 * After a refused push, the merge call is used for this long. Then the service tries a push again, because somebody may
 * have allowed it.
 */
const TRY_TO_PUSH_AGAIN_MS = 10 * 60_000;

export interface GiteaLandingParts extends MergeMarksParts {
  readonly reader: GiteaPullRequests;
  readonly hostMerges: boolean;
}

/**
 * Lands by one push of the tested commits, with any merge method, and then has every pull request marked as merged. If
 * the service may not push to the target, the host's own operation merges one pull request after another.
 */
export class GiteaLanding {
  private readonly mayNotPushUntil = new Map<string, number>();
  private readonly oneByOne: OneByOne;
  private readonly marks: MergeMarks;

  constructor(private readonly parts: GiteaLandingParts) {
    const { api, byGit, reader } = parts;
    this.marks = new MergeMarks(parts);
    this.oneByOne = {
      ...{ host: api.host, byGit },
      mergedAs: async ({ repository }, number) => {
        const answer = await api.read(repository, `pulls/${number}`);
        return at(answer?.body, 'merged') === true ? textAt(answer?.body, 'merge_commit_sha') : null;
      },
      merge: async (request, pullRequest) => {
        await passOwnStatuses(api, reader, request, pullRequest);
        return mergeByCall(api, request, pullRequest, await this.messageFor(request, pullRequest));
      },
      objectionToOne: (request, pullRequest) => objectionToPullRequest(reader, request, pullRequest, 'merge'),
      objectionToAny: (request) => objectionToRun(reader, request, 'merge'),
    };
  }

  async land(request: LandRequest): Promise<LandOutcome> {
    const { repository, targetBranch } = request;
    if (this.means(repository, targetBranch) === 'merge') return mergeOneByOne(this.oneByOne, request);
    const { byGit, reader } = this.parts;
    const outcome = await byGit(request, (git) => git.land(request, () => objectionToRun(reader, request, 'push')));
    if (outcome.type === 'landed') await tryToShow(request, outcome, (landed) => this.marks.mark(repository, landed));
    // The target may have moved because an earlier attempt used the merge call.
    if (outcome.type === 'target_moved') return mergeOneByOne(this.oneByOne, request);
    if (outcome.type !== 'refused' || outcome.byRule === true) return outcome;
    this.mayNotPushUntil.set(targetOf(repository, targetBranch), this.now() + TRY_TO_PUSH_AGAIN_MS);
    return mergeOneByOne(this.oneByOne, request);
  }

  showMerged(repository: HostRepository, landed: MergedPullRequest): Promise<void> {
    return this.marks.ensure(repository, landed);
  }

  /** The way in which a pull request for this branch lands at present. */
  means(repository: HostRepository, targetBranch: string): LandingMeans {
    if (this.parts.hostMerges) return 'merge';
    return this.now() < (this.mayNotPushUntil.get(targetOf(repository, targetBranch)) ?? 0) ? 'merge' : 'push';
  }

  /**
   * Whether the server makes the merges, by its settings or because it recently refused a push to a branch of the
   * repository.
   */
  mergesOneByOne(repository: HostRepository): boolean {
    if (this.parts.hostMerges) return true;
    const prefix = targetOf(repository, '');
    const now = this.now();
    return [...this.mayNotPushUntil].some(([target, until]) => target.startsWith(prefix) && now < until);
  }

  private async messageFor(request: LandRequest, pullRequest: PullRequestAtHead): Promise<string | null> {
    const { repository, targetBranch, mergeMethod } = request;
    if (mergeMethod === 'rebase') return null;
    if (mergeMethod === 'merge_commit') return mergeMessageOf(pullRequest);
    return this.parts.byGit(request, async (git) => {
      const tip = await git.readBranch(repository, targetBranch);
      const { message } = await squashOf(await git.clone(repository), tip?.commit ?? request.expectedTip, pullRequest);
      return message;
    });
  }

  private now(): number {
    return this.parts.clock.now().getTime();
  }
}

function targetOf(repository: HostRepository, targetBranch: string): string {
  return `${repositoryKey(repository)} ${targetBranch}`;
}

/**
 * Sets the queue's own status to `success` before the server is asked to merge. A branch may demand every status of the
 * head, and the queue's own status is pending until the merge.
 */
async function passOwnStatuses(
  api: GiteaApi,
  reader: GiteaPullRequests,
  { repository, targetBranch }: LandRequest,
  { head }: PullRequestAtHead,
): Promise<void> {
  const { demandsAnyStatus } = await reader.readDemands(repository, targetBranch);
  const own = demandsAnyStatus ? await api.ownLogin() : null;
  if (own === null) return;
  const rows = (await api.readAll(repository, `commits/${head}/statuses`)) ?? [];
  const inOrder = rows.toSorted((a, b) => (numberAt(a, 'id') ?? 0) - (numberAt(b, 'id') ?? 0));
  const newest = new Map(inOrder.map((row) => [textAt(row, 'context'), row]));
  for (const [context, row] of newest) {
    const isOwnAndOpen = textAt(row, 'creator', 'login') === own && textAt(row, 'status') === 'pending';
    if (context === null || !isOwnAndOpen) continue;
    const body = { context, state: 'success', description: 'Is being merged' };
    await api.ask(repository, 'POST', `statuses/${head}`, { body });
  }
}
