import { Injectable } from '@nestjs/common';
import type { PullRequestObservation } from '../code-hosts/code-host.port';
import { CodeHostRegistry } from '../code-hosts/code-host.registry';
import type { PullRequestFacts } from '../engine/model';
import type { Caller } from '../platform/auth/caller';
import { PrismaService } from '../platform/database/prisma.service';
import { DomainError } from '../platform/errors/domain-error';
import { newId } from '../platform/ids';
import { QueueProcessor } from '../processing/queue-processor';
import { requireDecided } from '../shared/door-answer';
import type { QueuedPullRequestReference } from '../shared/dto/queue-reference.dto';
import { answerOfHost } from '../shared/host-answer';
import { type LocatedQueue, QueueLocator } from '../shared/queue-locator';
import type { SubmitPullRequestRequest } from './dto/pull-request-requests.dto';
import type { SubmittedPullRequest } from './dto/submitted-pull-request.dto';
import { PullRequestReader } from './pull-request-reader';

@Injectable()
export class PullRequestsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly processor: QueueProcessor,
    private readonly hosts: CodeHostRegistry,
    private readonly reader: PullRequestReader,
  ) {}

  async submit(caller: Caller, request: SubmitPullRequestRequest): Promise<SubmittedPullRequest> {
    const queue = await this.locator.queue(caller, request);
    const { number } = request.pr;
    const seen = await this.observe(queue, number);
    const targets = await this.versionOfTargets(queue, number, seen.head);
    const { priority, noBatch } = request;
    const event = {
      type: 'pullRequestSubmitted',
      newEntryId: newId(),
      facts: factsOf(seen),
      hasTargets: targets !== null,
      ...(priority !== undefined && { priority }),
      ...(noBatch !== undefined && { noBatch }),
      via: 'api',
      actor: caller.tokenName,
    } as const;
    requireDecided(await this.processor.handle(queue.id, { event, observed: [seen] }), queue.branch);
    await this.catchUpOnTargets(queue, number, seen.head, targets);
    return this.reader.record(queue, number);
  }

  cancel(caller: Caller, request: QueuedPullRequestReference): Promise<SubmittedPullRequest> {
    return this.ask('cancelRequested', caller, request);
  }

  restart(caller: Caller, request: QueuedPullRequestReference): Promise<SubmittedPullRequest> {
    return this.ask('restartRequested', caller, request);
  }

  private async ask(
    type: 'cancelRequested' | 'restartRequested',
    caller: Caller,
    request: QueuedPullRequestReference,
  ): Promise<SubmittedPullRequest> {
    const queue = await this.locator.queue(caller, request);
    const { number } = request.pr;
    const event = { type, number, via: 'api', actor: caller.tokenName } as const;
    requireDecided(await this.processor.handle(queue.id, { event }), queue.branch);
    return this.reader.record(queue, number);
  }

  private async observe({ repository, branch }: LocatedQueue, number: number): Promise<PullRequestObservation> {
    const host = this.hosts.hostFor(repository.host);
    if (!host) throw new DomainError('UPSTREAM_ERROR', `The code host ${repository.host} is not configured any more.`);
    const seen = await answerOfHost(repository.host, () => host.readPullRequest(repository, number, branch));
    if (seen) return seen;
    throw new DomainError('PR_NOT_FOUND', `${repository.owner}/${repository.name} has no pull request ${number}.`);
  }

  /** Null: none were given for that head. */
  private async versionOfTargets({ repository }: LocatedQueue, number: number, sha: string): Promise<number | null> {
    const key = { repositoryId: repository.id, number, sha };
    const select = { version: true } as const;
    const row = await this.prisma.impactedTargets.findUnique({ where: { repositoryId_number_sha: key }, select });
    return row && row.version;
  }

  /** Targets that came between the look above and the decision found no entry to tell. */
  private async catchUpOnTargets(
    queue: LocatedQueue,
    number: number,
    head: string,
    known: number | null,
  ): Promise<void> {
    if ((await this.versionOfTargets(queue, number, head)) === known) return;
    await this.processor.handle(queue.id, { event: { type: 'targetsGiven', number, head } });
  }
}

function factsOf(seen: PullRequestObservation): PullRequestFacts {
  const { number, title, author, head, headBranch, base, state, draft, mergeability, observedAt } = seen;
  return { number, title, author, head, headBranch, base, state, draft, mergeability, seenAt: observedAt.getTime() };
}
