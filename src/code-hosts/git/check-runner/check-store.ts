import { Injectable } from '@nestjs/common';
import type { HostRepository } from '../../../domain/code-host.port';
import { PrismaService } from '../../../platform/database/prisma.service';

const LEASE_MS = 60_000;

/** A check run that this process has leased. */
export interface LeasedCheck {
  readonly id: string;
  readonly repository: HostRepository;
  readonly sha: string;
  readonly name: string;
  readonly command: string;
  /** The number of attempts, including the present attempt. */
  readonly attempts: number;
}

export type CheckState = 'success' | 'failure' | 'timed_out';

interface Row extends Omit<LeasedCheck, 'repository'> {
  readonly repositoryId: string;
  readonly host: string;
  readonly owner: string;
  readonly repositoryName: string;
}

/** The rows of check runs. When a process dies, its checks run again once their lease is over. */
@Injectable()
export class CheckStore {
  constructor(private readonly prisma: PrismaService) {}

  async claim(by: string, most: number, hosts: readonly string[], now: Date): Promise<readonly LeasedCheck[]> {
    const rows = await this.prisma.$queryRaw<Row[]>`/* check-store claim */
      WITH due AS MATERIALIZED (
        SELECT c."id" FROM "CheckRun" c JOIN "Repository" r ON r."id" = c."repositoryId"
        WHERE (c."state" = 'queued' OR (c."state" = 'running' AND c."leaseUntil" <= ${now}))
          AND r."host" = ANY(${[...hosts]})
        ORDER BY c."createdAt", c."name" LIMIT ${most} FOR UPDATE OF c SKIP LOCKED
      )
      UPDATE "CheckRun" c
      SET "state" = 'running', "startedAt" = ${now}, "leasedBy" = ${by}, "leaseUntil" = ${leaseFrom(now)}, "log" = '',
        "attempts" = c."attempts" + 1
      FROM due, "Repository" r
      WHERE c."id" = due."id" AND r."id" = c."repositoryId"
      RETURNING c."id", c."repositoryId", r."host", r."owner", r."name" AS "repositoryName", c."sha", c."name", c."command",
        c."attempts"`;
    return rows.map(({ id, repositoryId, host, owner, repositoryName, ...check }) => {
      return { ...check, id, repository: { id: repositoryId, host, owner, name: repositoryName } };
    });
  }

  /**
   * Keeps the check for this process, and stores its output so far. `lost`: the check was cancelled, or another process
   * has taken it over.
   */
  async renew(id: string, by: string, log: string, now: Date): Promise<'kept' | 'lost'> {
    const { count } = await this.prisma.checkRun.updateMany({
      where: { id, state: 'running', leasedBy: by },
      data: { leaseUntil: leaseFrom(now), log },
    });
    return count === 1 ? 'kept' : 'lost';
  }

  async conclude(
    id: string,
    by: string,
    end: { readonly state: CheckState; readonly exitCode: number | null; readonly log: string },
    now: Date,
  ): Promise<void> {
    await this.prisma.checkRun.updateMany({
      where: { id, state: 'running', leasedBy: by },
      data: { ...end, endedAt: now, leasedBy: null, leaseUntil: null },
    });
  }

  /** Lets any process run the check again, from `from` on. */
  async release(id: string, by: string, from: Date): Promise<void> {
    // The check stays `running`, with a lease that ends at `from`.
    await this.prisma.checkRun.updateMany({
      where: { id, state: 'running', leasedBy: by },
      data: { leasedBy: null, leaseUntil: from },
    });
  }

  /** Like `release`, but the attempt does not count, because no error occurred. */
  async giveBack(id: string, by: string, now: Date): Promise<void> {
    await this.prisma.checkRun.updateMany({
      where: { id, state: 'running', leasedBy: by },
      data: { leasedBy: null, leaseUntil: now, attempts: { decrement: 1 } },
    });
  }

  async cancel(testRunId: string, now: Date): Promise<void> {
    await this.prisma.checkRun.updateMany({
      where: { testRunId, state: { in: ['queued', 'running'] } },
      data: { state: 'cancelled', endedAt: now, leasedBy: null, leaseUntil: null },
    });
  }
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}
