import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import { seenAboveMerged } from '../../domain/above-merged';
import type { CodeHost, PullRequestObservation } from '../../domain/code-host.port';
import { dependsOnIn } from '../../domain/depends-on';
import type { LocatedQueue } from '../../domain/located-queue';
import { factsOf } from '../../domain/pull-request-facts';
import { readQueueSettings } from '../../domain/stored-settings';
import type { PullRequestFacts } from '../../engine/model';
import type { ForAnotherBranch } from '../../engine/pull-request-facts';
import { Config } from '../../platform/config/config';
import { PrismaService } from '../../platform/database/prisma.service';
import { Sql } from '../../platform/database/sql';
import { changedWorkflows } from './changed-workflows';
import { readMergedBelow } from './store/own-commits';
import { takenOffList } from '../outbox/taken-off-list';
import type { PullRequestSeen } from '../../engine/events';

/** The head of a contained pull request is found only among this many commits of the pull request that contains it. */
const MOST_COMMITS = 5_000;

/** Stored facts about the queue and the pull request, read before the host is asked. */
interface KnownBefore {
  /** The head that the queue already knows; the commits of any other head are read. Null: the queue knows no head. */
  readonly head: string | null;
  /** Facts about the queue. Absent: the reader reads them when it needs them. */
  readonly queue?: KnownQueue;
}

export interface KnownQueue {
  /** The tip of the target that the queue saw last; null if it has never seen one. */
  readonly tipCommit: string | null;
  /** The required statuses that are set manually; empty if the configuration file names them. */
  readonly requiredStatuses: readonly string[];
}

/** The fields of an event about a pull request: its facts, and the facts about a head that is new to the queue. */
export type ReadNeeds = Pick<PullRequestSeen, 'facts' | 'commits' | 'takesOff' | 'changedWorkflows'>;

export interface ReadPullRequest {
  readonly needs: ReadNeeds;
  /**
   * The observation of the pull request, changed as if merged pull requests below it in its stack were part of the
   * target.
   */
  readonly seen: PullRequestObservation;
}

/**
 * Finds out what a pull request needs: which commits it brings to the target, and on which pull requests its
 * description depends.
 */
@Injectable()
export class NeedsReader {
  constructor(
    private readonly prisma: PrismaService,
    private readonly sql: Sql,
    private readonly hosts: CodeHostRegistry,
    private readonly config: Config,
  ) {}

  /** @throws HostUnavailable */
  async read(queue: LocatedQueue, looked: PullRequestObservation, known: KnownBefore): Promise<ReadPullRequest> {
    const host = this.hosts.hostFor(queue.repository.host);
    if (!host || looked.state !== 'open') return { needs: { facts: factsOf(looked) }, seen: looked };
    const declared = await this.openDependencies(host, queue, looked);
    const ofHead = looked.head === known.head ? {} : await this.readHead(host, queue, looked, known);
    const seen = await this.aboveMerged(host, queue, looked, ofHead.commits);
    return { needs: { facts: { ...factsOf(seen), ...declared }, ...ofHead }, seen };
  }

  /** The facts about a head that is new to the queue. */
  private async readHead(
    host: CodeHost,
    { id, branch: targetBranch, repository }: LocatedQueue,
    looked: PullRequestObservation,
    known: KnownBefore,
  ): Promise<Omit<ReadNeeds, 'facts'>> {
    const { head } = looked;
    if (!host.listCommits && !host.changesFile) return {};
    const { tipCommit, requiredStatuses } = known.queue ?? (await this.readQueue(id));
    const commits = await host.listCommits?.(repository, { base: tipCommit, head, mostCommits: MOST_COMMITS });
    const isByHand = requiredStatuses.length > 0;
    const takesOff =
      tipCommit === null || isByHand
        ? []
        : await takenOffList(host, { repository, targetBranch, tipCommit, head }, this.config.brand);
    const changed = await changedWorkflows(host, repository, looked, tipCommit);
    return {
      ...(commits && { commits }),
      ...(takesOff.length > 0 && { takesOff }),
      ...(changed.length > 0 && { changedWorkflows: changed }),
    };
  }

  private async aboveMerged(
    host: CodeHost,
    { id: queueId, branch: targetBranch, mergeMethod, repository }: LocatedQueue,
    seen: PullRequestObservation,
    commits: readonly string[] | undefined,
  ): Promise<PullRequestObservation> {
    // A merge commit contains the history of the pull requests below, so the host's mergeability is right.
    if (mergeMethod === 'merge_commit') return seen;
    const stacked = { queueId, repositoryId: repository.id, number: seen.number, ...(commits && { commits }) };
    const mergedBelow = await readMergedBelow(this.sql, stacked);
    return seenAboveMerged(host, repository, seen, { targetBranch, mergeMethod, mergedBelow });
  }

  private async readQueue(queueId: string): Promise<KnownQueue> {
    const [queue] = await this.sql.rows<
      Pick<KnownQueue, 'tipCommit'> & { settings: unknown }
    >`/* needs-reader readQueue */
      SELECT "tipCommit", "settings" FROM "Queue" WHERE "id" = ${queueId}::uuid`;
    if (!queue) return { tipCommit: null, requiredStatuses: [] };
    const { requiredStatuses } = readQueueSettings(queue.settings);
    return { tipCommit: queue.tipCommit, requiredStatuses };
  }

  /**
   * The dependencies of a pull request. Pull requests that somebody merged into the target without the queue are left
   * out, because the queue does not know that they are merged.
   */
  private async openDependencies(
    host: CodeHost,
    { id: queueId, branch, mergeMethod, repository }: LocatedQueue,
    { number: own, body, stack }: PullRequestObservation,
  ): Promise<Required<Pick<PullRequestFacts, 'dependsOn'>> & Pick<PullRequestFacts, 'elsewhere'>> {
    const nextBelow = stack?.below.at(-1);
    const inBody = dependsOnIn(body).filter((number) => number !== own && number !== nextBelow);
    const inStack = nextBelow === undefined ? [] : [nextBelow];
    if (inBody.length === 0) return { dependsOn: inStack };
    const entries = await this.prisma.entry.findMany({
      where: { queueId, number: { in: inBody }, state: { notIn: ['failed', 'cancelled'] } },
      select: { number: true },
    });
    const known = new Set(entries.map(({ number }) => number));
    const dependsOn: number[] = [];
    const elsewhere: ForAnotherBranch[] = [];
    for (const number of inBody) {
      const other = known.has(number) ? null : await host.readPullRequest(repository, number, branch, mergeMethod);
      const base = other?.base ?? branch;
      if (other?.state === 'merged' && base === branch) continue;
      dependsOn.push(number);
      if (base !== branch) elsewhere.push({ number, base });
    }
    dependsOn.push(...inStack);
    return { dependsOn, ...(elsewhere.length > 0 && { elsewhere }) };
  }
}
