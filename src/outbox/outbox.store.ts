import { Injectable } from '@nestjs/common';
import type { HostRepository } from '../domain/code-host.port';
import { Prisma } from '../generated/prisma/client';
import { PrismaService } from '../platform/database/prisma.service';
import type { Task } from './task';
import type { TaskOutcome } from './task-outcomes';

/** An order that this worker holds. `attempts` tells this claim from any other: a lease is lost when either differs. */
export interface LeasedTask {
  readonly id: bigint;
  readonly key: string;
  readonly queueId: string;
  readonly type: Task['type'];
  readonly command: Task;
  readonly targetBranch: string;
  readonly repository: HostRepository;
  readonly notes: unknown;
  /** Of a topic: raised by every newer order. */
  readonly generation: number;
  readonly leasedBy: string;
  readonly attempts: number;
  readonly answers: number;
  readonly firstFailedAt: Date | null;
}

interface Row extends Omit<LeasedTask, 'command' | 'repository'> {
  readonly payload: Task;
  readonly repositoryId: string;
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

export interface Postponement {
  readonly until: Date;
  readonly problem: string;
  readonly answers: number;
  /** Null when the host is not what failed. */
  readonly unreachableSince: Date | null;
}

/** The rows of the outbox. Whatever a worker writes, it writes only while it still holds the lease. */
@Injectable()
export class OutboxStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * The oldest orders that are due: waiting, or left by a worker whose lease has run out, and with no older order of
   * their subject unsettled. What is only shown comes after what the queue waits for. The rows are locked while they are
   * chosen, so two workers never get the same one.
   */
  async claim(leasedBy: string, free: number, now: Date, leaseUntil: Date): Promise<LeasedTask[]> {
    const rows = await this.prisma.$queryRaw<Row[]>`
      WITH due AS MATERIALIZED (
        SELECT o."id" FROM "OutboxOrder" o
        WHERE ((o."state" = 'waiting' AND o."notBefore" <= ${now}) OR (o."state" = 'leased' AND o."leaseUntil" <= ${now}))
          AND NOT EXISTS (
            SELECT 1 FROM "OutboxOrder" older
            WHERE older."subject" = o."subject" AND older."state" IN ('waiting', 'leased') AND older."id" < o."id")
        ORDER BY o."type" IN ('updatePullRequestView', 'answerComment', 'answerTrigger'), o."id" LIMIT ${free} FOR UPDATE OF o SKIP LOCKED
      )
      UPDATE "OutboxOrder" o
      SET "state" = 'leased', "leasedBy" = ${leasedBy}, "leaseUntil" = ${leaseUntil}, "attempts" = o."attempts" + 1
      FROM due, "Queue" q, "Repository" r
      WHERE o."id" = due."id" AND q."id" = o."queueId" AND r."id" = q."repositoryId"
      RETURNING o."id", o."key", o."queueId", o."type", o."payload", o."notes", o."generation", o."leasedBy", o."attempts", o."answers",
        o."firstFailedAt", q."branch" AS "targetBranch", r."id" AS "repositoryId", r."host", r."owner", r."name"`;
    return rows.map(toLeasedOrder);
  }

  async renew(task: LeasedTask, leaseUntil: Date): Promise<boolean> {
    return this.write(task, { leaseUntil });
  }

  async remember(task: LeasedTask, notes: object): Promise<void> {
    const kept = await this.write(task, { notes });
    if (!kept) throw new LeaseLost(task.key);
  }

  /** Nothing is left to learn for the queue when there is no outcome. */
  async settle(task: LeasedTask, as: 'done' | 'dead', outcome: TaskOutcome | null, now: Date): Promise<boolean> {
    const data = {
      state: as,
      outcome: outcome === null ? Prisma.DbNull : (outcome as unknown as Prisma.InputJsonObject),
      settledAt: now,
      consumedAt: outcome === null ? now : null,
      leasedBy: null,
      leaseUntil: null,
      firstFailedAt: null,
    };
    const settled = await this.write(task, data, { generation: task.generation });
    if (!settled) return this.makeDueAgain(task);
    // Time-outs are not judged while the host is silent: without an outcome nobody would tell the queue that it answers.
    if (outcome === null && task.firstFailedAt) await this.wakeQueue(task.queueId, now);
    return true;
  }

  /** When a newer order of its topic came while it was carried out. */
  private async makeDueAgain({ id, leasedBy, attempts, generation }: LeasedTask): Promise<boolean> {
    const { count } = await this.prisma.outboxOrder.updateMany({
      where: { id, state: 'leased', leasedBy, attempts, generation: { not: generation } },
      data: { state: 'waiting', answers: 0, leasedBy: null, leaseUntil: null, firstFailedAt: null },
    });
    return count === 1;
  }

  private async wakeQueue(queueId: string, now: Date): Promise<void> {
    await this.prisma.queue.updateMany({
      where: { id: queueId, deletedAt: null, OR: [{ wakeAt: null }, { wakeAt: { gt: now } }] },
      data: { wakeAt: now },
    });
  }

  async postpone(task: LeasedTask, { until, problem, answers, unreachableSince }: Postponement): Promise<boolean> {
    const lastProblem = problem.slice(0, 2_000);
    const failure = { lastProblem, answers, firstFailedAt: unreachableSince };
    return this.write(task, { state: 'waiting', notBefore: until, leasedBy: null, leaseUntil: null, ...failure });
  }

  private async write(
    task: LeasedTask,
    data: Prisma.OutboxOrderUpdateManyMutationInput,
    only: { readonly generation?: number } = {},
  ): Promise<boolean> {
    const { id, leasedBy, attempts } = task;
    const { count } = await this.prisma.outboxOrder.updateMany({
      where: { id, state: 'leased', leasedBy, attempts, ...only },
      data,
    });
    return count === 1;
  }
}

/** Another worker took the order on, because this one did not renew its lease in time; whatever it did is done anew. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor(key: string) {
    super(`The lease of ${key} was lost.`);
  }
}

function toLeasedOrder(row: Row): LeasedTask {
  const { payload, repositoryId, host, owner, name, ...task } = row;
  return { ...task, command: payload, repository: { id: repositoryId, host, owner, name } };
}
