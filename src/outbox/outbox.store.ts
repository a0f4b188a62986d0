import { Injectable } from '@nestjs/common';
import type { HostRepository } from '../domain/code-host.port';
import { Prisma } from '../generated/prisma/client';
import { PrismaService } from '../platform/database/prisma.service';
import { storable } from '../platform/database/storable';
import type { Task } from './task';
import type { TaskOutcome } from './task-outcomes';

/** A task that this worker holds. `leasedBy` and `attempts` identify the claim: when either differs, the lease is lost. */
export interface LeasedTask {
  readonly id: bigint;
  readonly key: string;
  readonly queueId: string;
  readonly type: Task['type'];
  readonly command: Task;
  readonly targetBranch: string;
  readonly repository: HostRepository;
  readonly notes: unknown;
  /** For tasks with a topic: every newer task raises it. */
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

const LONGEST_PROBLEM = 2_000;

interface Postponement {
  readonly until: Date;
  readonly problem: string;
  readonly answers: number;
  /** Null when the failure is not the host's. */
  readonly unreachableSince: Date | null;
  /** The host's words, where it refuses the service. */
  readonly refusal: string | null;
}

/** The rows of the outbox. A worker's write changes nothing once its lease is lost. */
@Injectable()
export class OutboxStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * Leases the oldest due tasks: those that wait or whose lease has run out, unless an older task of the same subject is
   * unsettled. Tasks that the queue waits for come before tasks that only show something. SKIP LOCKED keeps two workers from
   * getting the same row.
   */
  async claim(leasedBy: string, free: number, now: Date, leaseUntil: Date): Promise<LeasedTask[]> {
    const rows = await this.prisma.queryDirectly<Row>`
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
    return rows.map(toLeasedTask);
  }

  async renew(task: LeasedTask, leaseUntil: Date): Promise<boolean> {
    return this.write(task, Prisma.sql`"leaseUntil" = ${leaseUntil}`);
  }

  async remember(task: LeasedTask, notes: object): Promise<void> {
    const kept = await this.write(task, Prisma.sql`"notes" = ${JSON.stringify(notes)}::jsonb`);
    if (!kept) throw new LeaseLost(task.key);
  }

  /** `outcome` null: the queue has nothing to decide on, so the task counts as consumed. False: the lease was lost. */
  async settle(task: LeasedTask, as: 'done' | 'dead', outcome: TaskOutcome | null, now: Date): Promise<boolean> {
    const stored = outcome === null ? null : JSON.stringify(storable(outcome));
    const consumedAt = outcome === null ? now : null;
    const settled = await this.write(
      task,
      Prisma.sql`"state" = ${as}, "outcome" = ${stored}::jsonb, "settledAt" = ${now}, "consumedAt" = ${consumedAt}, ${FREED}`,
      Prisma.sql`"generation" = ${task.generation}`,
    );
    if (!settled) return this.makeDueAgain(task);
    // Time-outs pause while the host is unreachable. Without an outcome only this tells the queue that it answers again.
    if (outcome === null && task.firstFailedAt) await this.wakeQueue(task.queueId, now);
    return true;
  }

  /** For a task that a newer one of its topic replaced while it was carried out. */
  private makeDueAgain(task: LeasedTask): Promise<boolean> {
    return this.write(
      task,
      Prisma.sql`"state" = 'waiting', "answers" = 0, ${FREED}`,
      Prisma.sql`"generation" <> ${task.generation}`,
    );
  }

  private async wakeQueue(queueId: string, now: Date): Promise<void> {
    await this.prisma.executeDirectly`
      UPDATE "Queue" SET "wakeAt" = ${now}
      WHERE "id" = ${queueId}::uuid AND "deletedAt" IS NULL AND ("wakeAt" IS NULL OR "wakeAt" > ${now})`;
  }

  async postpone(
    task: LeasedTask,
    { until, problem, answers, unreachableSince, refusal }: Postponement,
  ): Promise<boolean> {
    const lastProblem = storable(problem.slice(0, LONGEST_PROBLEM));
    const words = refusal === null ? null : storable(refusal.slice(0, LONGEST_PROBLEM));
    return this.write(
      task,
      Prisma.sql`"state" = 'waiting', "notBefore" = ${until}, "leasedBy" = NULL, "leaseUntil" = NULL,
        "lastProblem" = ${lastProblem}, "answers" = ${answers}, "firstFailedAt" = ${unreachableSince}, "refusal" = ${words}`,
    );
  }

  private async write(
    { id, leasedBy, attempts }: LeasedTask,
    changes: Prisma.Sql,
    only: Prisma.Sql = Prisma.sql`true`,
  ): Promise<boolean> {
    const changed = await this.prisma.executeDirectly`
      UPDATE "OutboxOrder" SET ${changes}
      WHERE "id" = ${id}::bigint AND "state" = 'leased' AND "leasedBy" = ${leasedBy} AND "attempts" = ${attempts} AND ${only}`;
    return changed === 1;
  }
}

const FREED = Prisma.sql`"leasedBy" = NULL, "leaseUntil" = NULL, "firstFailedAt" = NULL, "refusal" = NULL`;

/** This worker did not renew its lease in time, so another one carries the task out again. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor(key: string) {
    super(`The lease of ${key} was lost.`);
  }
}

function toLeasedTask(row: Row): LeasedTask {
  const { payload, repositoryId, host, owner, name, ...task } = row;
  return { ...task, command: payload, repository: { id: repositoryId, host, owner, name } };
}
