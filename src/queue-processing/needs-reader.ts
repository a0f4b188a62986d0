import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../code-hosts/code-host.registry';
import type { CodeHost, HostRepository, MergeMethod, PullRequestObservation } from '../domain/code-host.port';
import { dependsOnIn } from '../domain/depends-on';
import { factsOf } from '../domain/pull-request-facts';
import type { PullRequestFacts } from '../engine/model';
import { PrismaService } from '../platform/database/prisma.service';

/** A pull request that contains another one has it within so many commits of its head. */
const MOST_COMMITS = 5_000;

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

/** Finds out what a pull request needs: which commits it brings to the target, and what its description depends on. */
@Injectable()
export class NeedsReader {
  constructor(
    private readonly prisma: PrismaService,
    private readonly hosts: CodeHostRegistry,
  ) {}

  /**
   * `knownHead`: the head that the queue has of it; of another one the commits are listed.
   * @throws HostUnavailable
   */
  async read(queue: AskedQueue, seen: PullRequestObservation, knownHead: string | null): Promise<ReadNeeds> {
    const facts = factsOf(seen);
    const host = this.hosts.hostFor(queue.repository.host);
    if (!host || seen.state !== 'open') return { facts };
    const dependsOn = await this.openDependencies(host, queue, seen);
    const commits = seen.head === knownHead ? undefined : await this.commitsOf(host, queue, seen.head);
    return { facts: { ...facts, dependsOn }, ...(commits && { commits }) };
  }

  private async commitsOf(host: CodeHost, { id, repository }: AskedQueue, head: string) {
    if (!host.listCommits) return undefined;
    const queue = await this.prisma.queue.findUnique({ where: { id }, select: { tipCommit: true } });
    return host.listCommits(repository, { base: queue?.tipCommit ?? null, head, mostCommits: MOST_COMMITS });
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
