import { Injectable } from '@nestjs/common';
import type { PullRequestObservation } from '../domain/code-host.port';
import { factsOf } from '../domain/pull-request-facts';
import type { DecisionResult } from '../domain/decision-result';
import type { PullRequestTask } from '../engine/pull-request-tasks';
import type { Actor, RequestedVia } from '../engine/vocabulary';
import { PrismaService } from '../platform/database/prisma.service';
import { newId } from '../platform/ids';
import { QueueProcessor } from './queue-processor';
import type { LocatedQueue } from '../shared/queue-locator';

/** Who asks, and by which way. `answers` are given with what the queue decides, or not at all. */
export interface Requester {
  readonly via: RequestedVia;
  readonly actor: Actor;
  readonly answers?: readonly PullRequestTask[];
}

/** Absent wishes: as it is, or the default. */
export interface SubmitOptions {
  readonly priority?: number | null;
  readonly noBatch?: boolean;
}

/** What people ask of a queue for a pull request, whichever way they ask it. */
@Injectable()
export class Submissions {
  constructor(
    private readonly prisma: PrismaService,
    private readonly processor: QueueProcessor,
  ) {}

  async submit(
    queue: LocatedQueue,
    seen: PullRequestObservation,
    wishes: SubmitOptions,
    requester: Requester,
  ): Promise<DecisionResult> {
    const { number, head } = seen;
    const targets = await this.versionOfTargets(queue, number, head);
    const { priority, noBatch } = wishes;
    const event = {
      type: 'pullRequestSubmitted',
      newEntryId: newId(),
      facts: factsOf(seen),
      hasTargets: targets !== null,
      ...(priority !== undefined && { priority }),
      ...(noBatch !== undefined && { noBatch }),
      via: requester.via,
      actor: requester.actor,
    } as const;
    const result = await this.processor.processEvent(queue.id, { event, observed: [seen], tasks: requester.answers });
    if (result.type === 'decided') await this.catchUpOnTargets(queue, number, head, targets);
    return result;
  }

  ask(
    type: 'cancelRequested' | 'restartRequested',
    queue: LocatedQueue,
    number: number,
    { via, actor, answers }: Requester,
  ): Promise<DecisionResult> {
    return this.processor.processEvent(queue.id, { event: { type, number, via, actor }, tasks: answers });
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
    await this.processor.processEvent(queue.id, { event: { type: 'targetsGiven', number, head } });
  }
}
