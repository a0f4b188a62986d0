import {
  HostUnavailable,
  type LandRefusal,
  type LandRequest,
  type MergingAtHost,
  type PullRequestAtHead,
} from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import type { EndedMerge } from '../../git/merge-one-by-one';
import { at, textAt, unreadable } from '../../reading';
import type { GitHubApi } from '../client/github-api';
import type { GitHubRefusal } from '../client/github-answer';
import type { GitHubPullRequests } from '../reading/github-pull-requests';
import type { MergesOfLanding } from './asked-merges';
import { type GuardedMerge, pressMergeButton } from './merge-button';
import { isByRule, whyNotMerged } from './merge-refusals';

const ASK = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge-async';
const RESULT = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/merge-async/{uuid}';
const SECOND_MS = 1_000;
/**
 * The times of the first looks at a result: 1 s after the request, then 2 s and 4 s later. After that, the result is
 * read every 8 s.
 */
const FIRST_LOOKS_MS = [1, 3, 7].map((seconds) => seconds * SECOND_MS);
const LATER_LOOKS_MS = 8 * SECOND_MS;
/**
 * Enterprise servers may lack the call. After this time the call is tried again, because the server may have been
 * updated.
 */
const TRY_AGAIN_MS = 60 * 60 * SECOND_MS;

export interface BackgroundMergeParts {
  readonly api: GitHubApi;
  readonly clock: Clock;
  readonly reader: GitHubPullRequests;
}

/** GitHub's answer about a merge that it makes in the background. */
type Result =
  | { readonly status: 'pending'; readonly id: string }
  | { readonly status: 'merged'; readonly commit: string }
  | { readonly status: 'failed'; readonly why: string }
  /** GitHub's own merge queue has the pull request. */
  | { readonly status: 'enqueued' };

/**
 * GitHub's call that merges in the background. GitHub answers with the id of the request, which is stored before the
 * service asks about the result. A request cannot be revoked. For servers without this call, the synchronous call is
 * used, which answers after the merge.
 */
export class BackgroundMerges {
  private missingUntil = 0;

  constructor(private readonly parts: BackgroundMergeParts) {}

  async ask(
    request: LandRequest,
    pullRequest: PullRequestAtHead,
    merge: GuardedMerge,
    merges: MergesOfLanding,
  ): Promise<string | LandRefusal | MergingAtHost> {
    const { parts } = this;
    const { number } = pullRequest;
    if (merges.usesSynchronousCall(number) || this.now() < this.missingUntil)
      return pressMergeButton(parts, request, pullRequest, merge);
    const answer = await parts.api.ask(request.repository, ASK, { ...merge, merge_action: 'direct_merge' });
    const result = resultIn(answer.body);
    switch (result?.status) {
      case 'pending': {
        // GitHub already has a request for this pull request: from an attempt whose end was not stored, or from a
        // person, perhaps with other options.
        const found = answer.status === 409 ? ({ isFoundThere: true } as const) : {};
        const askedAt = this.now();
        await merges.begin({ number, id: result.id, askedAt, ...found });
        return this.merging(number, askedAt);
      }
      case 'merged':
        return result.commit;
      case 'enqueued':
        return isInOtherQueue(number);
      case 'failed':
        return whyNotMerged(parts, request, pullRequest, { status: answer.status, message: result.why });
      case undefined:
        if (answer.type === 'answered') throw unreadable(parts.api.host, `the merge of #${number}`);
        return this.afterRefusal(request, pullRequest, merge, answer);
    }
  }

  /** The state of the requested merge; null if there is none, or another must be requested. */
  async follow(request: LandRequest, merges: MergesOfLanding): Promise<EndedMerge | MergingAtHost | null> {
    const { underWay } = merges;
    const pullRequest = request.pullRequests.find((one) => one.number === underWay?.number);
    if (underWay === null || pullRequest === undefined) return null;
    const { number } = underWay;
    const result = await this.look(request, underWay);
    switch (result?.status) {
      case 'pending':
        return this.merging(number, underWay.askedAt);
      case 'merged':
        merges.end(number, result.commit);
        return { number, as: result.commit };
      case 'enqueued':
        return { number, as: isInOtherQueue(number) };
      case 'failed':
        await merges.forget();
        // A request that the service only found there may have failed because of its own options, so the service makes
        // its own request.
        if (underWay.isFoundThere) return null;
        // The synchronous call does not accept a stack.
        if (!isByRule(result.why) || pullRequest.stack != null)
          return { number, as: await this.whyFailed(request, pullRequest, result.why) };
        // GitHub lets fewer services bypass a rule in a background merge than in a synchronous merge, so the
        // synchronous call decides.
        merges.useSynchronousCall(number);
        return null;
      case undefined:
        // GitHub keeps results for a day, so an unknown request has ended long ago.
        await merges.forget();
        return null;
    }
  }

  /** Asks GitHub for the result; null if GitHub no longer knows the request. */
  private async look({ repository }: LandRequest, underWay: { number: number; id: string }): Promise<Result | null> {
    const { api } = this.parts;
    const { number, id } = underWay;
    try {
      const answer = await api.read(repository, RESULT, { pull_number: number, uuid: id });
      if (answer === null) return null;
      const result = resultIn(answer.body);
      if (result === null) throw unreadable(api.host, `the merge of #${number}`);
      return result;
    } catch (error) {
      // A merge that may still happen is not given up, because a server error says nothing about the merge.
      if (!(error instanceof HostUnavailable) || error.kind !== 'server_error') throw error;
      throw new HostUnavailable(error.host, 'no_answer', error.message);
    }
  }

  private whyFailed(request: LandRequest, pullRequest: PullRequestAtHead, message: string) {
    return whyNotMerged(this.parts, request, pullRequest, { status: null, message });
  }

  private async afterRefusal(
    request: LandRequest,
    pullRequest: PullRequestAtHead,
    merge: GuardedMerge,
    { status, message }: GitHubRefusal,
  ): Promise<string | LandRefusal> {
    const isMissing = status === 404 && (await this.isThere(request, pullRequest));
    if (!isMissing) return whyNotMerged(this.parts, request, pullRequest, { status, message });
    this.missingUntil = this.now() + TRY_AGAIN_MS;
    return pressMergeButton(this.parts, request, pullRequest, merge);
  }

  private async isThere({ repository }: LandRequest, { number }: PullRequestAtHead): Promise<boolean> {
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
    return (await this.parts.api.read(repository, route, { pull_number: number })) !== null;
  }

  private merging(number: number, askedAt: number): MergingAtHost {
    const now = this.now();
    const first = FIRST_LOOKS_MS.map((after) => askedAt + after).find((at) => at > now);
    return { type: 'merging', number, askAgainAt: new Date(first ?? now + LATER_LOOKS_MS) };
  }

  private now(): number {
    return this.parts.clock.now().getTime();
  }
}

/** The result in the body of an answer; null if the body has another form. */
function resultIn(body: unknown): Result | null {
  const status = textAt(body, 'status');
  const details = at(body, 'details');
  const id = textAt(details, 'uuid');
  const commit = textAt(details, 'sha');
  if (status === 'pending') return id === null ? null : { status, id };
  if (status === 'merged') return commit === null ? null : { status, commit };
  if (status === 'failed') return { status, why: textAt(details, 'message') ?? 'no reason was given' };
  return status === 'enqueued' ? { status } : null;
}

function isInOtherQueue(number: number): LandRefusal {
  const why = `GitHub's own merge queue has #${number}, and merges it by its own tests. Remove the pull request from that queue, or switch that queue off.`;
  return { type: 'refused', number, why };
}
