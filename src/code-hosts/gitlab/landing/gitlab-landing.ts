import { Logger } from '@nestjs/common';
import {
  type HostRepository,
  HostUnavailable,
  type MergedPullRequest,
  type LandOutcome,
  type LandRefusal,
  type LandRequest,
  type PullRequestAtHead,
  type PullRequestConversation,
} from '../../../domain/code-host.port';
import { isOpenFor } from '../../../domain/pull-request-facts';
import type { Clock } from '../../../platform/clock/clock';
import type { OneByOne } from '../../git/merge-one-by-one';
import { textAt } from '../../reading';
import { tryToShow } from '../../shown-as-merged';
import type { GitLabApi } from '../client/gitlab-api';
import { type MergeRequests, ONLY_MERGE_COMMITS } from '../reading/merge-requests';

/** For this long after a landing, GitLab is asked again whether it shows the merge request as merged. */
const PATIENCE_MS = 60_000;

export interface GitLabLandingParts extends Pick<OneByOne, 'byGit'> {
  readonly api: GitLabApi;
  readonly clock: Clock;
  readonly reader: MergeRequests;
  readonly conversation: Pick<PullRequestConversation, 'reply'>;
  readonly closesWhatLanded: boolean;
}

/**
 * Lands by one push of the tested commits. GitLab later marks a merge request as merged if its head is among these
 * commits. The service closes all other merge requests with a comment. If the closing fails, the run has landed all the
 * same.
 */
export class GitLabLanding {
  private readonly logger = new Logger(GitLabLanding.name);

  constructor(private readonly parts: GitLabLandingParts) {}

  async land(request: LandRequest): Promise<LandOutcome> {
    const { closesWhatLanded, byGit } = this.parts;
    if (request.mergeMethod !== 'merge_commit' && !closesWhatLanded) {
      const number = request.pullRequests[0]?.number ?? 0;
      return { type: 'refused', number, why: `It lacks ${ONLY_MERGE_COMMITS}.`, byRule: true };
    }
    const outcome = await byGit(request, (git) => git.land(request, () => this.objectionToRun(request)));
    if (outcome.type !== 'landed') return outcome;
    await tryToShow(request, outcome, (landed) => this.showMerged(request.repository, landed));
    return outcome;
  }

  /**
   * Why the run must not be pushed; null if it may be. Reads all merge requests again, because GitLab does not check
   * approvals and threads for a push.
   */
  private async objectionToRun(request: LandRequest): Promise<LandRefusal | null> {
    const objection = await this.objectionToReports(request);
    if (objection !== null) return objection;
    for (const pullRequest of request.pullRequests) {
      const changed = await this.objectionToOne(request, pullRequest);
      if (changed !== null) return changed;
    }
    return null;
  }

  /**
   * An objection if the project requires a successful pipeline, but the queue did not wait for it, and it has not
   * succeeded.
   */
  private async objectionToReports(request: LandRequest): Promise<LandRefusal | null> {
    const { repository, reports, pullRequests } = request;
    const { reader } = this.parts;
    const isWaitedFor = reports === undefined || reports.names.includes('pipeline');
    if (isWaitedFor || !(await reader.demandsPipeline(repository))) return null;
    const found = await reader.readReports(repository, reports.commit);
    const whole = found.find(({ name }) => name === 'pipeline');
    if (whole?.state === 'success') return null;
    const number = pullRequests[0]?.number ?? 0;
    const why = `It lacks the pipeline of the tested commit ${reports.commit.slice(0, 7)}, which the project demands.`;
    const isPending = whole === undefined || whole.state === 'pending';
    return isPending ? { type: 'not_yet', number, why } : { type: 'refused', number, why, byRule: true };
  }

  private async objectionToOne(request: LandRequest, { number, head }: PullRequestAtHead): Promise<LandRefusal | null> {
    const { repository, targetBranch, mergeMethod } = request;
    const seen = await this.parts.reader.read(repository, number, targetBranch, mergeMethod);
    if (seen === null) return { type: 'head_moved', number, head: null };
    if (!isOpenFor(seen, targetBranch)) return { type: 'pull_request_changed', seen };
    if (seen.head !== head) return { type: 'head_moved', number, head: seen.head };
    if (seen.unmet !== undefined) return { type: 'pull_request_changed', seen };
    if (seen.mergeability !== 'in_progress') return null;
    return { type: 'not_yet', number, why: `GitLab still looks at !${number} (${seen.status ?? 'locked'}).` };
  }

  /** Throws HostUnavailable while GitLab may still mark the merge request as merged. */
  async showMerged(repository: HostRepository, landed: MergedPullRequest): Promise<void> {
    const { api, clock, byGit } = this.parts;
    const { number, head, commit, landedAt } = landed;
    const answer = await api.read(repository, `merge_requests/${number}`);
    const state = textAt(answer?.body, 'state');
    if (state !== 'opened' && state !== 'locked') return;
    // Somebody pushed after the landing, so the merge request stays open. Otherwise the pushed commits would be lost.
    if (textAt(answer?.body, 'sha') !== head) return this.note(number, 'it got a new push meanwhile');
    const isContained = await byGit({ repository }, (git) => git.containsCommit(repository, commit, head));
    if (!isContained) return this.closeWithWords(repository, landed);
    if (clock.now().getTime() - landedAt.getTime() < PATIENCE_MS) {
      const what = `${api.host} does not show !${number} as merged yet`;
      throw new HostUnavailable(api.host, 'server_error', what);
    }
    this.note(number, 'it did not notice in time');
  }

  private async closeWithWords(
    repository: HostRepository,
    { number, commit, targetBranch }: MergedPullRequest,
  ): Promise<void> {
    const { api, conversation } = this.parts;
    const marker = `<!-- merged as ${commit} -->`;
    const words = `Merged into \`${targetBranch}\` as ${commit}. GitLab does not mark such a merge request as merged, so it was closed.`;
    await conversation.reply(repository, number, marker, `${words}\n\n${marker}`);
    const closed = await api.ask(repository, 'PUT', `merge_requests/${number}`, { body: { state_event: 'close' } });
    if (closed.type === 'refused') this.note(number, closed.message);
  }

  private note(number: number, why: string): void {
    this.logger.warn(
      `${this.parts.api.host} does not show !${number} as merged, although its commits are on the target: ${why}`,
    );
  }
}
