import { randomUUID } from 'node:crypto';
import type { Prisma } from '../../src/generated/prisma/client';
import type { PrismaService } from '../../src/platform/database/prisma.service';
import { initialSettings } from '../../src/domain/stored-settings';

const MINUTE_MS = 60_000;

/** A move of an entry, as minutes before now, old state and new state. */
export type Move = readonly [minutesAgo: number, from: string, to: string];

/** Rows of the database that a test writes itself, for code that only reads the database. */
export class Rows {
  private seq = 0n;

  constructor(
    private readonly prisma: PrismaService,
    private readonly now: Date,
  ) {}

  async organizationOf(slug: string): Promise<string> {
    return (await this.prisma.organization.findUniqueOrThrow({ where: { slug } })).id;
  }

  async repository(organizationId: string, name: string, owner = 'acme', host = 'local'): Promise<string> {
    const data = {
      id: randomUUID(),
      organizationId,
      host,
      owner,
      name,
      lookupName: `${owner}/${name}`,
      createdAt: this.now,
    };
    return (await this.prisma.repository.create({ data })).id;
  }

  async queue(
    repositoryId: string,
    branch = 'main',
    more: Partial<Prisma.QueueUncheckedCreateInput> = {},
  ): Promise<string> {
    const { id } = await this.prisma.queue.create({
      data: {
        state: 'running',
        mode: 'single',
        settings: initialSettings('sluice'),
        id: randomUUID(),
        repositoryId,
        branch,
        liveBranch: branch,
        createdAt: this.now,
        ...more,
      },
    });
    return id;
  }

  async pullRequest(
    repositoryId: string,
    number: number,
    more: Partial<Prisma.PullRequestUncheckedCreateInput> = {},
  ): Promise<string> {
    const { id } = await this.prisma.pullRequest.create({
      data: {
        id: randomUUID(),
        repositoryId,
        number,
        title: `Change ${number}`,
        body: '',
        author: 'Ada',
        headSha: shaOf(number),
        state: 'open',
        draft: false,
        mergeability: 'mergeable',
        observedAt: this.now,
        ...more,
      },
    });
    return id;
  }

  /** Writes the entry together with its pull request. */
  async entry(queueId: string, number: number, more: Partial<Prisma.EntryUncheckedCreateInput> = {}): Promise<string> {
    const { repositoryId } = await this.prisma.queue.findUniqueOrThrow({ where: { id: queueId } });
    const { id } = await this.prisma.entry.create({
      data: {
        id: randomUUID(),
        queueId,
        pullRequestId: await this.pullRequest(repositoryId, number),
        number,
        attempt: 1,
        state: 'pending',
        stateChangedAt: this.now,
        head: shaOf(number),
        priority: 100,
        usedDefaultPriority: true,
        noBatch: false,
        pendingRank: 2,
        returnedOrder: 0,
        submittedOrder: number,
        placeIndex: 0,
        urgentInLine: false,
        submittedAt: this.now,
        evaluatedMode: 'single',
        timesAsked: 0,
        ...more,
      },
    });
    return id;
  }

  async log(queueId: string, entryId: string, moves: readonly Move[], queueType = 'main'): Promise<void> {
    for (const [minutesAgo, fromState, toState] of moves) {
      const at = new Date(this.now.getTime() - minutesAgo * MINUTE_MS);
      this.seq += 1n;
      await this.prisma.queueLog.create({
        data: {
          queueId,
          seq: this.seq,
          at,
          type: 'entryMoved',
          entryId,
          attempt: 1,
          fromState,
          toState,
          queueType,
          change: {},
        },
      });
    }
  }
}

export function shaOf(number: number): string {
  return number.toString(16).padStart(40, '0');
}
