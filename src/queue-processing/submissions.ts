import { Injectable } from '@nestjs/common';
import type { PullRequestObservation } from '../domain/code-host.port';
import type { DecisionResult } from '../domain/decision-result';
import type { PullRequestTask } from '../engine/pull-request-tasks';
import { type Actor, PRIORITIES, type RequestedVia } from '../engine/vocabulary';
import type { AuditSource } from '../platform/audit/audit-source';
import { PrismaService } from '../platform/database/prisma.service';
import { newId } from '../platform/ids';
import { NeedsReader, type ReadNeeds } from './needs-reader';
import { QueueProcessor } from './queue-processor';
import type { LocatedQueue } from '../shared/queue-locator';

/** Who asks and how. `answers` are appended to the outbox in the transaction of the decision. */
export interface Requester {
  readonly via: RequestedVia;
  readonly actor: Actor;
  /** The best priority that the requester may have, 0 being the best; null or absent: any. */
  readonly bestPriority?: number | null;
  readonly answers?: readonly PullRequestTask[];
  /** For the audit log, where it is to stand there. */
  readonly by?: AuditSource;
}

/** An absent field keeps the entry's value; a new entry gets the default. */
interface SubmitOptions {
  readonly priority?: number | null;
  readonly noBatch?: boolean;
  /** Absent: it is to be merged, also when it is queued as a dry run. */
  readonly dryRun?: boolean;
}

/** Submits pull requests, for the API and for user requests alike. */
@Injectable()
export class Submissions {
  constructor(
    private readonly prisma: PrismaService,
    private readonly processor: QueueProcessor,
    private readonly needs: NeedsReader,
  ) {}

  /** What the host knows of what it needs. @throws HostUnavailable */
  async readNeeds(queue: LocatedQueue, seen: PullRequestObservation): Promise<ReadNeeds> {
    return this.needs.read(queue, seen, await this.headIn(queue, seen.number));
  }

  /**
   * `needs`: absent, they are read first.
   * @throws HostUnavailable before anything is stored
   */
  async submit(
    queue: LocatedQueue,
    seen: PullRequestObservation,
    options: SubmitOptions,
    requester: Requester,
    needs?: ReadNeeds,
  ): Promise<DecisionResult> {
    const { number, head } = seen;
    const read = needs ?? (await this.readNeeds(queue, seen));
    const targets = await this.versionOfTargets(queue, number, head);
    const { priority, noBatch, dryRun } = options;
    const event = {
      type: 'pullRequestSubmitted',
      newEntryId: newId(),
      ...read,
      hasTargets: targets !== null,
      ...(priority !== undefined && { priority }),
      ...worseDefault(requester),
      ...(noBatch !== undefined && { noBatch }),
      ...(dryRun !== undefined && { dryRun }),
      via: requester.via,
      actor: requester.actor,
    } as const;
    const { answers: tasks, by } = requester;
    const result = await this.processor.processEvent(queue.id, { event, observed: [seen], tasks, ...(by && { by }) });
    if (result.type === 'decided') await this.catchUpOnTargets(queue, number, head, targets);
    return result;
  }

  /** Null: it is not in the queue. */
  private async headIn({ id: queueId }: LocatedQueue, number: number): Promise<string | null> {
    const where = { queueId, number, state: { notIn: ['merged', 'failed', 'cancelled'] } };
    const entry = await this.prisma.entry.findFirst({ where, select: { head: true } });
    return entry && entry.head;
  }

  /** Null: there are none for that head, neither uploaded nor computed. */
  private async versionOfTargets(
    { id, repository }: LocatedQueue,
    number: number,
    sha: string,
  ): Promise<string | null> {
    const select = { version: true } as const;
    const key = { repositoryId: repository.id, number, sha };
    const uploaded = await this.prisma.impactedTargets.findUnique({ where: { repositoryId_number_sha: key }, select });
    if (uploaded) return `uploaded ${uploaded.version}`;
    const where = { queueId_number_sha: { queueId: id, number, sha } };
    const computed = await this.prisma.computedTargets.findUnique({ where, select });
    return computed && `computed ${computed.version}`;
  }

  /** Targets that were uploaded after the look above and before the decision found no entry, so they are announced here. */
  private async catchUpOnTargets(
    queue: LocatedQueue,
    number: number,
    head: string,
    known: string | null,
  ): Promise<void> {
    if ((await this.versionOfTargets(queue, number, head)) === known) return;
    await this.processor.processEvent(queue.id, { event: { type: 'targetsGiven', number, head } });
  }
}

/** Who may not have `medium` gets the best that it may have instead. */
function worseDefault({ bestPriority }: Requester): { readonly defaultPriority?: number } {
  return bestPriority != null && bestPriority > PRIORITIES.medium ? { defaultPriority: bestPriority } : {};
}
