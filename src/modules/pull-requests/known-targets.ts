import { Injectable } from '@nestjs/common';
import { Sql } from '../../platform/database/sql';
import type { LocatedQueue } from '../../domain/located-queue';
import type { KnownTargets } from './submitted-pull-request.dto';

export interface HeadOfPullRequest {
  readonly number: number;
  readonly head: string;
}

interface TargetsRow extends KnownTargets {
  readonly number: number;
}

/** A limit that includes every name: no upload may have this many targets. */
const EVERY_NAME = 1_000_000_000;

/** Reads impacted targets for answers: the uploaded targets of a head, or else the computed targets. */
@Injectable()
export class KnownTargetsReader {
  constructor(private readonly sql: Sql) {}

  /** The targets by the number of the pull request. Heads without targets are left out. */
  async of(
    { id: queueId, repository }: LocatedQueue,
    heads: readonly HeadOfPullRequest[],
    mostNames = EVERY_NAME,
  ): Promise<ReadonlyMap<number, KnownTargets>> {
    if (heads.length === 0) return new Map();
    const rows = await this.sql.rows<TargetsRow>`/* known-targets of */
      SELECT h."number", t.*
      FROM jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) AS h("number" int, "head" text)
      CROSS JOIN LATERAL (
        (SELECT 'uploaded' AS "source", "all" AS "impactsAll", "targetCount", "names"[1:${mostNames}::int] AS "targets"
         FROM "ImpactedTargets"
         WHERE "repositoryId" = ${repository.id}::uuid AND "number" = h."number" AND "sha" = h."head")
        UNION ALL
        (SELECT 'computed', c."all" OR c."configuration" IS DISTINCT FROM f."key", c."targetCount",
           c."names"[1:${mostNames}::int]
         FROM "ComputedTargets" c LEFT JOIN "TargetsConfiguration" f ON f."queueId" = c."queueId"
         WHERE c."queueId" = ${queueId}::uuid AND c."number" = h."number" AND c."sha" = h."head")
        ORDER BY "source" DESC LIMIT 1) t`;
    return new Map(
      rows.map(({ number, source, impactsAll, targetCount, targets }) => [
        number,
        impactsAll ? { source, impactsAll, targetCount: 0, targets: [] } : { source, impactsAll, targetCount, targets },
      ]),
    );
  }
}
