import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../code-hosts/code-host.registry';
import { seenAboveMerged } from '../domain/above-merged';
import type { CodeHost, HostRepository, MergeMethod, PullRequestObservation } from '../domain/code-host.port';
import { dependsOnIn } from '../domain/depends-on';
import { factsOf } from '../domain/pull-request-facts';
import type { PullRequestFacts } from '../engine/model';
import { PrismaService } from '../platform/database/prisma.service';
import { readMergedBelow } from './store/own-commits';

/** A pull request that contains another one has it within so many commits of its head. */
const MOST_COMMITS = 5_000;

/** What the service knows of the queue and of the pull request before it asks the host. */
interface KnownBefore {
  /** The head that the queue has of it; of another one the commits are listed. Null: none. */
  readonly head: string | null;
  /** Of the target, as the queue saw it last. Absent: it is read where it is needed. */
  readonly tipCommit?: string | null;
}

interface AskedQueue {
  readonly id: string;
  readonly branch: string;
  readonly mergeMethod: MergeMethod;
  readonly repository: HostRepository;
}

/** What an event says of a pull request that may need others. */
export interface ReadNeeds {
  readonly facts: PullRequestFacts;
  readonly commits?: readonly string[];
}

export interface ReadPullRequest {
  readonly needs: ReadNeeds;
  /** What the look showed, once what it is stacked on counts as merged. */
  readonly seen: PullRequestObservation;
}

/** Finds out what a pull request needs: which commits it brings to the target, and what its description depends on. */
@Injectable()
export class NeedsReader {
  constructor(
    private readonly prisma: PrismaService,
    private readonly hosts: CodeHostRegistry,
  ) {}

  /** @throws HostUnavailable */
  async read(queue: AskedQueue, looked: PullRequestObservation, known: KnownBefore): Promise<ReadPullRequest> {
    const host = this.hosts.hostFor(queue.repository.host);
    if (!host || looked.state !== 'open') return { needs: { facts: factsOf(looked) }, seen: looked };
    const dependsOn = await this.openDependencies(host, queue, looked);
    const commits = looked.head === known.head ? undefined : await this.commitsOf(host, queue, looked.head, known);
    const seen = await this.aboveMerged(host, queue, looked, commits);
    return { needs: { facts: { ...factsOf(seen), dependsOn }, ...(commits && { commits }) }, seen };
  }

  private async aboveMerged(
    host: CodeHost,
    { id: queueId, branch: targetBranch, mergeMethod, repository }: AskedQueue,
    seen: PullRequestObservation,
    commits: readonly string[] | undefined,
  ): Promise<PullRequestObservation> {
    // A merge commit brings the history of what is below along.
    if (mergeMethod === 'merge_commit') return seen;
    const stacked = { queueId, repositoryId: repository.id, number: seen.number, ...(commits && { commits }) };
    const mergedBelow = await readMergedBelow(this.prisma, stacked);
    return seenAboveMerged(host, repository, seen, { targetBranch, mergeMethod, mergedBelow });
  }

  private async commitsOf(host: CodeHost, { id, repository }: AskedQueue, head: string, known: KnownBefore) {
    if (!host.listCommits) return undefined;
    const base = known.tipCommit === undefined ? await this.tipOf(id) : known.tipCommit;
    return host.listCommits(repository, { base, head, mostCommits: MOST_COMMITS });
  }

  private async tipOf(queueId: string): Promise<string | null> {
    const [queue] = await this.prisma.queryDirectly<{ tipCommit: string | null }>`
      SELECT "tipCommit" FROM "Queue" WHERE "id" = ${queueId}::uuid`;
    return queue?.tipCommit ?? null;
  }

  /** Without those that somebody merged into the target: the queue knows only what was submitted to it. */
  private async openDependencies(
    host: CodeHost,
    { id: queueId, branch, mergeMethod, repository }: AskedQueue,
    { number: own, body }: PullRequestObservation,
  ): Promise<readonly number[]> {
    const named = dependsOnIn(body).filter((number) => number !== own);
    if (named.length === 0) return [];
    const entries = await this.prisma.entry.findMany({
      where: { queueId, number: { in: named }, state: { notIn: ['failed', 'cancelled'] } },
      select: { number: true },
    });
    const known = new Set(entries.map(({ number }) => number));
    const open: number[] = [];
    for (const number of named) {
      const other = known.has(number) ? null : await host.readPullRequest(repository, number, branch, mergeMethod);
      const isThere = other?.state === 'merged' && (other.base === null || other.base === branch);
      if (!isThere) open.push(number);
    }
    return open;
  }
}
