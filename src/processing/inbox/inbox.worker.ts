import { Injectable, Logger } from '@nestjs/common';
import {
  type BranchChanged,
  type BranchPush,
  type CodeHost,
  type HeadTold,
  type InboxEvent,
  type HostRepository,
  HostUnavailable,
  type PullRequestChanged,
  type ResultsUploaded,
  type StatusesUnclear,
  type StatusReported,
} from '../../domain/code-host.port';
import { readQueueSettings } from '../../domain/stored-settings';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { Clock } from '../../platform/clock/clock';
import { DatabaseOutage } from '../../platform/database/database-outage';
import { landingExpedited, mergeIsNotLast, type WhichLanding } from '../outbox/expedited-landings';
import { PrismaService } from '../../platform/database/prisma.service';
import { Sql } from '../../platform/database/sql';
import { backoff } from '../../platform/lifecycle/backoff';
import { Wakeups } from '../../platform/wakeups/wakeups';
import { groupBySubject, headsToldIn, pushesToldIn, subjectOfEvent, uploadedIn } from './delivery-subjects';
import { isUnclear, newestStatusSaved } from './newest-status';
import { type DeliveryChunk, type Delivery, InboxStore, markedProcessed } from './inbox.store';
import { Pushers } from './pushers';
import { mayBeTested, type StatusConcerns, statusConcerns } from './status-concerns';
import { UserEventRouter } from '../user-requests/user-event-router';
import { NeedsReader } from '../decisions/needs-reader';
import { QueueProcessor } from '../decisions/queue-processor';
import { sightTarget } from './sight-target';
import { TestingBranches } from './testing-branches';
import { thatDependOn, thatWaitFor } from './waiting-pull-requests';

type OtherEvent = Exclude<InboxEvent, { type: 'status_reported' }>;

interface AffectedQueue {
  readonly id: string;
  readonly branch: string;
  readonly settings: unknown;
  /** The state of the pull request's entry in the queue. */
  readonly state: string;
  readonly head: string;
}

/**
 * Turns a host event into events of the queues that it concerns, after it has read the pull request or branch from the
 * host.
 */
@Injectable()
export class InboxWorker {
  private readonly logger = new Logger(InboxWorker.name);

  constructor(
    private readonly prisma: PrismaService,
    private readonly sql: Sql,
    private readonly processor: QueueProcessor,
    private readonly hosts: CodeHostRegistry,
    private readonly deliveries: InboxStore,
    private readonly userEvents: UserEventRouter,
    private readonly pushers: Pushers,
    private readonly needs: NeedsReader,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly testingBranches: TestingBranches,
    private readonly wakeups: Wakeups,
  ) {}

  async process({ deliveries }: DeliveryChunk): Promise<void> {
    for (const group of groupBySubject(deliveries)) await this.processGroup(group);
  }

  /** Processes deliveries with one subject together: ten reports on one commit are one queue event. */
  private async processGroup(deliveries: readonly Delivery[]): Promise<void> {
    try {
      const isMarked = await this.dispatch(deliveries[0]!.event, deliveries);
      if (!isMarked) await this.deliveries.markProcessed(deliveries, this.clock.now());
    } catch (error) {
      const isOutage = error instanceof HostUnavailable;
      if (isOutage) this.logger.warn(`${subjectOfEvent(deliveries[0]!.event)} waits for its host: ${error.message}`);
      else this.outage.report(this.logger, 'A host event could not be processed', error);
      const attempts = Math.max(...deliveries.map((delivery) => delivery.attempts));
      const until = new Date(this.clock.now().getTime() + backoff(attempts));
      await this.deliveries.putOff(deliveries, until, isOutage ? error.message : String(error));
    }
  }

  /** Returns whether the deliveries were marked as processed together with the decision. */
  private async dispatch(event: InboxEvent, deliveries: readonly Delivery[]): Promise<boolean> {
    if (event.type === 'status_reported') return this.onStatusReported(deliveries);
    await this.dispatchOther(event, deliveries);
    return false;
  }

  private async dispatchOther(event: OtherEvent, deliveries: readonly Delivery[]): Promise<void> {
    switch (event.type) {
      case 'results_uploaded':
        return this.onResultsUploaded(deliveries.flatMap(({ event: other }) => uploadedIn(other)));
      case 'pull_request_changed':
        await this.onPullRequestChanged(event, headsToldIn(deliveries));
        for (const number of await thatDependOn(this.sql, event))
          await this.onPullRequestChanged({ ...event, number }, []);
        return;
      case 'branch_changed':
        return this.onBranchChanged(event, pushesToldIn(deliveries));
      case 'statuses_unclear':
        return this.onStatusesUnclear(event);
      case 'comment_made':
      case 'comment_edited':
      case 'label_set':
      case 'pull_request_opened':
        return this.userEvents.route(event);
    }
  }

  private async onStatusReported(deliveries: readonly Delivery[]): Promise<boolean> {
    const reported = deliveries.flatMap(({ event }) => (event.type === 'status_reported' ? [event] : []));
    const { repositoryId, sha: commit } = reported[0]!.report;
    const asked = deliveries.length === 1 ? deliveries[0]!.concerns : undefined;
    const told = reported.filter(({ isSettled }) => isSettled !== true);
    const { queues, areDemandsUnmet, hasNamesake } = asked ?? (await this.concernsOf(reported));
    if (queues.length > 0 && told.length > 0 && (hasNamesake || told.some(isUnclear))) {
      const unclear = { type: 'statuses_unclear', repositoryId, commit } as const;
      await this.deliveries.addStatusesUnclear(deliveries[0]!, unclear, this.clock.now());
    }
    const event = { type: 'statusReported', commit } as const;
    if (queues.length === 1 && !areDemandsUnmet) {
      const also = [markedProcessed(deliveries, this.clock.now())];
      return (await this.processor.processEvent(queues[0]!, { event, also })).type === 'decided';
    }
    for (const id of queues) await this.processor.processEvent(id, { event });
    if (!areDemandsUnmet) return false;
    for (const number of await thatWaitFor(this.sql, repositoryId, commit))
      await this.onPullRequestChanged({ type: 'pull_request_changed', repositoryId, number }, []);
    return false;
  }

  private async concernsOf(reported: readonly StatusReported[]): Promise<StatusConcerns> {
    const reports = reported.map(({ report }) => report);
    const [found] = await this.sql
      .rows<StatusConcerns>`/* inbox.worker concernsOf */ SELECT ${statusConcerns(reports)}`;
    return found!;
  }

  /** Reads the reports on a commit from the host, and stores all of them before the queues decide. */
  private async onStatusesUnclear({ repositoryId, commit }: StatusesUnclear): Promise<void> {
    if (!(await mayBeTested(this.sql, repositoryId, commit))) return;
    const { host, repository } = await this.hostOf(repositoryId);
    const reports = await host.readStatuses(repository, commit);
    if (reports.length === 0) return;
    const now = this.clock.now();
    await this.sql.transaction(
      async (tx) => {
        for (const report of reports)
          await tx.execute(newestStatusSaved({ type: 'status_reported', report, isSettled: true }, now));
      },
      { planner: 'by index' },
    );
    const { queues } = await this.concernsOf([{ type: 'status_reported', report: reports[0]! }]);
    for (const id of queues) await this.processor.processEvent(id, { event: { type: 'statusReported', commit } });
  }

  /** Stores the uploads first, so that a run that fails later finds them, even if no queue knows the commit yet. */
  private async onResultsUploaded(uploads: readonly ResultsUploaded[]): Promise<void> {
    const receivedAt = this.clock.now();
    const facts = uploads.map(({ type: _type, ...fact }) => ({ ...fact, tests: [...fact.tests], receivedAt }));
    await this.prisma.uploadFact.createMany({ data: facts, skipDuplicates: true });
    const { repositoryId, commit } = uploads[0]!;
    const queues = await this.prisma.queue.findMany({
      where: { repositoryId, deletedAt: null, runs: { some: { live: true, phase: 'testing', commit } } },
      select: { id: true },
    });
    for (const { id } of queues) await this.processor.processEvent(id, { event: { type: 'resultsUploaded', commit } });
  }

  private async onPullRequestChanged(
    { repositoryId, number }: PullRequestChanged,
    told: readonly HeadTold[],
  ): Promise<void> {
    const queues = await this.sql.rows<AffectedQueue>`/* inbox.worker onPullRequestChanged */
      SELECT q."id", q."branch", q."settings", e."state", e."head"
      FROM "Queue" q JOIN "Entry" e ON e."queueId" = q."id" AND e."number" = ${number}
      WHERE q."repositoryId" = ${repositoryId}::uuid AND q."deletedAt" IS NULL
        AND e."state" NOT IN ('merged', 'failed', 'cancelled')`;
    if (queues.length === 0) return;
    const { host, repository } = await this.hostOf(repositoryId);
    for (const { id, branch, settings, state, head } of queues) {
      const { mergeMethod } = readQueueSettings(settings);
      // If the host was asked to merge this pull request, the landing task reads it, and nothing is to be done here.
      if (await this.expediteLanding(id, { number, isAskedFor: true })) continue;
      const askedAt = this.clock.now();
      const seen = await host.readPullRequest(repository, number, branch, mergeMethod);
      if (seen === null) {
        const event = { type: 'pullRequestGone', number, seenAt: askedAt.getTime() } as const;
        await this.processor.processEvent(id, { event });
        continue;
      }
      const followed = { state, head, targetBranch: branch };
      const push = await this.pushers.look(host, repository, seen, followed, told);
      const known = { head: push.isFollowable ? null : seen.head };
      const read = await this.needs.read({ id, branch, mergeMethod, repository }, seen, known);
      const event = { type: 'pullRequestSeen', ...read.needs, ...push.said } as const;
      await this.processor.processEvent(id, { event, observed: [read.seen] });
      if (seen.state !== 'open') await this.expediteLanding(id, { number });
    }
  }

  private async expediteLanding(queueId: string, which: WhichLanding): Promise<boolean> {
    const expedited = await this.sql.execute(landingExpedited(queueId, which, this.clock.now()));
    if (expedited > 0) this.wakeups.wake('outbox');
    return expedited > 0;
  }

  private async onBranchChanged({ repositoryId, branch }: BranchChanged, pushes: readonly BranchPush[]): Promise<void> {
    const queue = await this.prisma.queue.findFirst({
      where: { repositoryId, liveBranch: branch },
      select: { id: true },
    });
    if (!queue) return this.testingBranches.onPush({ repositoryId, branch }, pushes.at(-1));
    // During a landing, queues ignore the tip of their target, because the landing task reads it before its next merge.
    const [landing] = await this.sql.rows<{
      found: boolean;
    }>`/* inbox.worker onBranchChanged */ ${mergeIsNotLast(queue.id)}`;
    if (landing?.found) return;
    const { host, repository } = await this.hostOf(repositoryId);
    const target = { queueId: queue.id, repository, branch };
    const event = await sightTarget(this.sql, host, target, this.clock.now().getTime());
    if (event) await this.processor.processEvent(queue.id, { event });
  }

  private async hostOf(repositoryId: string): Promise<{ host: CodeHost; repository: HostRepository }> {
    const select = { id: true, host: true, owner: true, name: true };
    const repository = await this.prisma.repository.findUniqueOrThrow({ where: { id: repositoryId }, select });
    const host = this.hosts.hostFor(repository.host);
    if (!host)
      throw new HostUnavailable(repository.host, 'no_answer', `The host ${repository.host} is not configured.`);
    return { host, repository };
  }
}
