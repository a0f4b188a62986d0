import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import type { PullRequestObservation } from '../../domain/code-host.port';
import type { DecisionResult } from '../../domain/decision-result';
import { readQueueSettings } from '../../domain/stored-settings';
import type { PullRequestTask } from '../../engine/pull-request-tasks';
import { type Actor, PRIORITIES, type RequestedVia } from '../../engine/vocabulary';
import type { AuditSource } from '../../platform/audit/audit-source';
import { PrismaService } from '../../platform/database/prisma.service';
import { Sql } from '../../platform/database/sql';
import { newId } from '../../platform/ids';
import { type KnownQueue, NeedsReader, type ReadPullRequest } from './needs-reader';
import { QueueProcessor } from './queue-processor';
import { WorkflowWarnings } from './workflow-warnings';
import type { LocatedQueue } from '../../domain/located-queue';

/**
 * The person or token that requests the submission, and the channel. `answers` are appended to the outbox in the
 * transaction of the decision.
 */
export interface Requester {
  readonly via: RequestedVia;
  readonly actor: Actor;
  /** The best priority that the requester may set, where 0 is the best. Null or absent: any priority. */
  readonly bestPriority?: number | null;
  readonly answers?: readonly PullRequestTask[];
  /** The source for the audit log. Absent: the request is not recorded there. */
  readonly by?: AuditSource;
}

/** If a field is absent, the entry keeps its value, and a new entry gets the default. */
interface SubmitOptions {
  readonly priority?: number | null;
  readonly noBatch?: boolean;
  /** Absent: the pull request is to be merged, even if it is queued as a dry run. */
  readonly dryRun?: boolean;
}

/** Submits pull requests, for the API and for user requests alike. */
@Injectable()
export class Submissions {
  constructor(
    private readonly prisma: PrismaService,
    private readonly sql: Sql,
    private readonly processor: QueueProcessor,
    private readonly needs: NeedsReader,
    private readonly workflows: WorkflowWarnings,
    private readonly hosts: CodeHostRegistry,
  ) {}

  /** Asks the host for the needs of a pull request. @throws HostUnavailable */
  async readNeeds(queue: LocatedQueue, seen: PullRequestObservation): Promise<ReadPullRequest> {
    return this.needs.read(queue, seen, await this.readKnown(queue, seen));
  }

  /**
   * `earlier`: the needs of the pull request, if they were read before. Absent: they are read now.
   * @throws HostUnavailable before anything is stored
   */
  async submit(
    queue: LocatedQueue,
    looked: PullRequestObservation,
    options: SubmitOptions,
    requester: Requester,
    earlier?: ReadPullRequest,
  ): Promise<DecisionResult> {
    const result = await this.submitOne(queue, looked, options, requester, earlier);
    if (result.type === 'decided') await this.submitBelow(queue, looked, options, requester);
    return result;
  }

  private async submitOne(
    queue: LocatedQueue,
    looked: PullRequestObservation,
    options: SubmitOptions,
    requester: Requester,
    earlier?: ReadPullRequest,
  ): Promise<DecisionResult> {
    // These facts are read before the host is asked. Targets that are stored later are announced at the end of this
    // method.
    const known = await this.readKnown(queue, looked);
    const { needs, seen } = earlier ?? (await this.needs.read(queue, looked, known));
    const refused = await this.workflows.refuse(queue.id, seen, needs.changedWorkflows, requester.answers);
    if (refused !== null) return refused;
    const { priority, noBatch, dryRun } = options;
    const event = {
      type: 'pullRequestSubmitted',
      newEntryId: newId(),
      ...needs,
      hasTargets: known.targets !== null,
      ...(priority !== undefined && { priority }),
      ...worseDefault(requester),
      ...(noBatch !== undefined && { noBatch }),
      ...(dryRun !== undefined && { dryRun }),
      via: requester.via,
      actor: requester.actor,
    } as const;
    const { answers: tasks, by } = requester;
    const result = await this.processor.processEvent(queue.id, { event, observed: [seen], tasks, ...(by && { by }) });
    // If the queue does not need targets now, the decision that makes them necessary will look for them.
    if (result.type === 'decided' && result.areTargetsNeeded) await this.catchUpOnTargets(queue, seen, known.targets);
    return result;
  }

  /**
   * Submits the pull requests below this pull request in its stack that are not queued yet, because the host merges
   * them along. The lowest is submitted last, so that all become ready at once. If one is refused, the pull requests
   * above it keep waiting.
   */
  private async submitBelow(
    queue: LocatedQueue,
    { stack }: PullRequestObservation,
    options: SubmitOptions,
    { answers: _ofTheOneAskedFor, ...requester }: Requester,
  ): Promise<void> {
    const { id: queueId, repository, branch, mergeMethod } = queue;
    const below = stack?.below ?? [];
    if (below.length === 0) return;
    const state = { notIn: ['merged', 'failed', 'cancelled'] };
    const there = await this.prisma.entry.findMany({
      where: { queueId, number: { in: [...below] }, state },
      select: { number: true },
    });
    const missing = below.filter((number) => !there.some((entry) => entry.number === number));
    const host = this.hosts.hostFor(repository.host);
    const read = async (number: number) => host?.readPullRequest(repository, number, branch, mergeMethod);
    const seen = await Promise.all(missing.map(read));
    for (const one of seen.toReversed()) if (one) await this.submitOne(queue, one, options, requester);
  }

  private async readKnown(
    { id, repository }: LocatedQueue,
    { number, head: sha }: PullRequestObservation,
  ): Promise<Known> {
    const [row] = await this.sql.rows<KnownRow>`/* submissions readKnown */
      SELECT
        (SELECT "head" FROM "Entry"
          WHERE "queueId" = ${id}::uuid AND "number" = ${number} AND "state" NOT IN ('merged', 'failed', 'cancelled')) AS "head",
        q."tipCommit", q."settings",
        (SELECT "version" FROM "ImpactedTargets"
          WHERE "repositoryId" = ${repository.id}::uuid AND "number" = ${number} AND "sha" = ${sha}) AS "uploaded",
        (SELECT "version" FROM "ComputedTargets"
          WHERE "queueId" = ${id}::uuid AND "number" = ${number} AND "sha" = ${sha}) AS "computed"
      FROM "Queue" q WHERE q."id" = ${id}::uuid`;
    const { head = null, tipCommit = null, settings = {}, uploaded = null, computed = null } = row ?? {};
    const { requiredStatuses } = readQueueSettings(settings);
    return { head, queue: { tipCommit, requiredStatuses }, targets: versionOf({ uploaded, computed }) };
  }

  /** Announces targets that were uploaded between the read and the decision: the upload did not find the entry. */
  private async catchUpOnTargets(
    queue: LocatedQueue,
    seen: PullRequestObservation,
    known: string | null,
  ): Promise<void> {
    const { targets } = await this.readKnown(queue, seen);
    if (targets === known) return;
    const { number, head } = seen;
    await this.processor.processEvent(queue.id, { event: { type: 'targetsGiven', number, head } });
  }
}

/** Stored facts about a pull request, read before the host is asked. */
interface Known {
  /** The head in the queue; null: the pull request is not in the queue. */
  readonly head: string | null;
  readonly queue: KnownQueue;
  /** The version of the stored targets of the head; null if it has none. */
  readonly targets: string | null;
}

interface KnownRow extends Pick<Known, 'head'>, Pick<KnownQueue, 'tipCommit'>, VersionsOfTargets {
  readonly settings: unknown;
}

interface VersionsOfTargets {
  readonly uploaded: number | null;
  readonly computed: number | null;
}

function versionOf({ uploaded, computed }: VersionsOfTargets): string | null {
  if (uploaded !== null) return `uploaded ${uploaded}`;
  return computed === null ? null : `computed ${computed}`;
}

/** A requester who may not use `medium` gets the best priority that is allowed instead. */
function worseDefault({ bestPriority }: Requester): { readonly defaultPriority?: number } {
  return bestPriority != null && bestPriority > PRIORITIES.medium ? { defaultPriority: bestPriority } : {};
}
