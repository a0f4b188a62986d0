import { Injectable } from '@nestjs/common';
import type { PullRequestObservation } from '../../domain/code-host.port';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { type AuditSource, sourceOf } from '../../platform/audit/audit-source';
import type { Caller } from '../../platform/requests/caller';
import { DomainError } from '../../platform/errors/domain-error';
import { requireAccepted } from '../shared/require-accepted';
import type { QueuedPullRequestReference } from '../shared/queue-reference.dto';
import { answerOfHost } from '../shared/host-answer';
import { describePriority } from '../../domain/priority';
import { QueueLocator } from '../shared/queue-locator';
import type { SubmitPullRequestRequest } from './pull-request-requests.dto';
import type { SubmittedPullRequest } from './submitted-pull-request.dto';
import { PullRequestReader } from './pull-request-reader';
import { QueueProcessor } from '../../processing/decisions/queue-processor';
import { Submissions } from '../../processing/decisions/submissions';
import type { LocatedQueue } from '../../domain/located-queue';

/** The limit for a new head, because its commits have to be fetched. */
const FETCHING_MS = 30_000;

@Injectable()
export class PullRequestsService {
  constructor(
    private readonly locator: QueueLocator,
    private readonly submissions: Submissions,
    private readonly processor: QueueProcessor,
    private readonly hosts: CodeHostRegistry,
    private readonly reader: PullRequestReader,
  ) {}

  async submit(caller: Caller, request: SubmitPullRequestRequest): Promise<SubmittedPullRequest> {
    requirePriority(caller, request.priority);
    const queue = await this.locator.queue(caller, request);
    const { number } = request.pr;
    const seen = await this.observe(queue, number);
    requireHead(seen, request.expectedHeadSha);
    const { tokenName: actor, bestPriority } = caller;
    const requester = { via: 'api', actor, bestPriority, ...auditedSource(caller) } as const;
    const needs = await answerOfHost(queue.repository.host, () => this.submissions.readNeeds(queue, seen), FETCHING_MS);
    requireAccepted(await this.submissions.submit(queue, seen, request, requester, needs), queue.branch);
    return this.reader.record(queue, number);
  }

  async cancelOrRestart(
    type: 'cancelRequested' | 'restartRequested',
    caller: Caller,
    request: QueuedPullRequestReference,
  ): Promise<SubmittedPullRequest> {
    const queue = await this.locator.queue(caller, request);
    const { number } = request.pr;
    const event = { type, number, via: 'api', actor: caller.tokenName } as const;
    requireAccepted(await this.processor.processEvent(queue.id, { event, ...auditedSource(caller) }), queue.branch);
    return this.reader.record(queue, number);
  }

  /** Errors: INSUFFICIENT_PERMISSIONS when the pull request has a higher priority than the token may request. */
  async promote(caller: Caller, request: QueuedPullRequestReference): Promise<SubmittedPullRequest> {
    const queue = await this.locator.queue(caller, request);
    const { number } = request.pr;
    const known = await this.reader.record(queue, number);
    requirePriority(caller, known.priorityValue);
    const event = { type: 'promotionRequested', number, actor: caller.tokenName } as const;
    requireAccepted(await this.processor.processEvent(queue.id, { event, ...auditedSource(caller) }), queue.branch);
    return this.reader.record(queue, number);
  }

  private async observe(
    { repository, branch, mergeMethod }: LocatedQueue,
    number: number,
  ): Promise<PullRequestObservation> {
    const host = this.hosts.hostFor(repository.host);
    if (!host) throw new DomainError('UPSTREAM_ERROR', `The code host ${repository.host} is not configured any more.`);
    const read = () => host.readPullRequest(repository, number, branch, mergeMethod);
    const seen = await answerOfHost(repository.host, read);
    if (seen) return seen;
    throw new DomainError('PR_NOT_FOUND', `${repository.owner}/${repository.name} has no pull request ${number}.`);
  }
}

/**
 * Programs submit thousands of pull requests, and the log of each pull request records its submission. The audit log
 * records actions that people take with a button, and actions of agents.
 */
function auditedSource(caller: Caller): { readonly by?: AuditSource } {
  return caller.channel === 'page' || caller.channel === 'mcp' ? { by: sourceOf(caller) } : {};
}

/** Errors: INSUFFICIENT_PERMISSIONS for a higher priority than the token may request. */
function requirePriority({ tokenName, bestPriority }: Caller, wanted: number | null | undefined): void {
  if (wanted == null || bestPriority === null || wanted >= bestPriority) return;
  throw new DomainError(
    'INSUFFICIENT_PERMISSIONS',
    `The best priority that ${tokenName} may request is ${describePriority(bestPriority)}; ${describePriority(wanted)} is better.`,
  );
}

/** Errors: PR_NOT_ENQUEUEABLE. */
function requireHead({ number, head }: PullRequestObservation, expected: string | undefined): void {
  if (expected === undefined || expected.toLowerCase() === head) return;
  const cause = `The head of pull request #${number} is ${head}, not ${expected}.`;
  throw new DomainError('PR_NOT_ENQUEUEABLE', `${cause} Review the new head, and submit the pull request again.`);
}
