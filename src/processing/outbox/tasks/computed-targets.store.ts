import { Injectable } from '@nestjs/common';
import { hashesOf, type ImpactedTargets } from '../../../domain/impacted-targets';
import { Prisma, type TargetsConfiguration } from '../../../generated/prisma/client';
import { Clock } from '../../../platform/clock/clock';
import { PrismaService, type Tx } from '../../../platform/database/prisma.service';

/** The stored facts about the configuration file of a queue's target. */
export type TargetsInForce = Pick<TargetsConfiguration, 'commit' | 'key' | 'rewrittenAt' | 'problem'>;

export interface HeadToCompute {
  readonly number: number;
  readonly sha: string;
  /** Whether a test of the head may be in progress. */
  readonly inFlight: boolean;
}

export interface ComputedHead extends HeadToCompute {
  readonly impacted: ImpactedTargets;
}

interface Wanted {
  /** The key of the targets with which missing results are to be computed. */
  readonly key: string;
  /**
   * The numbers of the pull requests to look at, in addition to all that are not ready. Null: all entries that have not
   * concluded, entries under test first.
   */
  readonly numbers: readonly number[] | null;
  readonly atMost: number;
}

/** Reads and writes the rows of computed targets, and of the targets in force for a queue. */
@Injectable()
export class ComputedTargetsStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly clock: Clock,
  ) {}

  inForce(queueId: string): Promise<TargetsInForce | null> {
    const select = { commit: true, key: true, rewrittenAt: true, problem: true } as const;
    return this.prisma.targetsConfiguration.findUnique({ where: { queueId }, select });
  }

  /** The heads of entries without uploaded targets and without targets that were computed with this key. */
  lacking(queueId: string, { key, numbers, atMost }: Wanted): Promise<HeadToCompute[]> {
    const among =
      numbers === null
        ? Prisma.empty
        : Prisma.sql`AND (e."number" = ANY(${numbers}::int[]) OR e."state" = 'not_ready')`;
    return this.prisma.$queryRaw<HeadToCompute[]>`/* computed-targets.store lacking */
      SELECT "number", "sha", "inFlight" FROM (
        SELECT e."number", p."repositoryId", CASE e."state" WHEN 'not_ready' THEN p."headSha" ELSE e."head" END AS "sha",
          e."place" IS NOT NULL OR e."search" IS NOT NULL OR e."state" = 'testing' AS "inFlight"
        FROM "Entry" e JOIN "PullRequest" p ON p."id" = e."pullRequestId"
        WHERE e."queueId" = ${queueId}::uuid ${among}
          AND e."state" IN ('not_ready', 'pending', 'testing', 'tests_passed', 'pending_failure')) AS active
      WHERE NOT EXISTS (
          SELECT 1 FROM "ImpactedTargets" i
          WHERE i."repositoryId" = active."repositoryId" AND i."number" = active."number" AND i."sha" = active."sha")
        AND NOT EXISTS (
          SELECT 1 FROM "ComputedTargets" c
          WHERE c."queueId" = ${queueId}::uuid AND c."number" = active."number" AND c."sha" = active."sha"
            AND c."configuration" = ${key})
      ORDER BY "inFlight" DESC, "number" LIMIT ${atMost}`;
  }

  async save(queueId: string, key: string, heads: readonly ComputedHead[]): Promise<void> {
    await saveHeads(this.prisma, queueId, key, heads, this.clock.now());
  }

  /**
   * Stores the targets in force together with the targets of entries under test: a decision that saw only one of these
   * changes would test the entries again.
   */
  async putInForce(queueId: string, inForce: TargetsInForce, inFlight: readonly ComputedHead[]): Promise<void> {
    const readAt = this.clock.now();
    await this.prisma.$transaction(async (tx) => {
      const data = { ...inForce, readAt };
      await tx.targetsConfiguration.upsert({ where: { queueId }, create: { queueId, ...data }, update: data });
      await saveHeads(tx, queueId, inForce.key ?? '', inFlight, readAt);
    });
  }
}

async function saveHeads(
  tx: Pick<Tx, '$executeRaw'>,
  queueId: string,
  configuration: string,
  heads: readonly ComputedHead[],
  now: Date,
): Promise<void> {
  if (heads.length === 0) return;
  const rows = heads.map(({ number, sha, impacted: { all, names } }) => {
    return { number, sha, all, names, hashes: Array.from(hashesOf(names), String) };
  });
  await tx.$executeRaw`/* computed-targets.store saveHeads */
    INSERT INTO "ComputedTargets" AS known ("queueId", "number", "sha", "configuration", "all", "targetCount", "names",
      "hashes", "updatedAt")
    SELECT ${queueId}::uuid, row."number", row."sha", ${configuration}, row."all", jsonb_array_length(row."names"),
      ARRAY(SELECT jsonb_array_elements_text(row."names")),
      ARRAY(SELECT jsonb_array_elements_text(row."hashes")::bigint), ${now}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS row("number" int, "sha" text, "all" boolean, "names" jsonb, "hashes" jsonb)
    ORDER BY row."number"
    ON CONFLICT ("queueId", "number", "sha") DO UPDATE SET
      "configuration" = EXCLUDED."configuration", "all" = EXCLUDED."all", "targetCount" = EXCLUDED."targetCount",
      "names" = EXCLUDED."names", "hashes" = EXCLUDED."hashes", "version" = known."version" + 1,
      "updatedAt" = EXCLUDED."updatedAt"`;
}
