import type { BatchingRule } from '../../engine/model';
import type { Tx } from '../../platform/database/prisma.service';
import { type Head, headKey, headsOf, readVersions, type VersionRow, versionOf } from './target-sets';

const KEPT_AT_MOST = 20_000;

interface Isolation extends VersionRow {
  readonly isIsolated: boolean;
}

/**
 * Which heads a batching rule keeps out of batches. A list of targets may have 200,000 entries and every decision asks, so
 * a list is compared once and afterwards only its row's version is read.
 */
export class IsolatedHeads {
  /** In the order in which they were compared. */
  private readonly known = new Map<string, boolean>();

  /** The keys of those heads: see `headKey`. */
  async read(
    tx: Tx,
    repositoryId: string,
    rules: readonly BatchingRule[],
    heads: readonly Head[],
  ): Promise<ReadonlySet<string>> {
    if (rules.length === 0) return new Set();
    const patterns = [...new Set(rules.map(({ targetPattern }) => likePattern(targetPattern)))].sort();
    const question = JSON.stringify(patterns);
    const keyOf = (row: VersionRow): string => `${repositoryId}/${headKey(row)}/${versionOf(row)}/${question}`;
    const rows = await readVersions(tx, repositoryId, heads);
    const unknown = rows.filter((row) => !this.known.has(keyOf(row)));
    const isolated = new Set(rows.filter((row) => this.known.get(keyOf(row))).map(headKey));
    for (const row of await compare(tx, repositoryId, patterns, unknown)) {
      this.remember(keyOf(row), row.isIsolated);
      if (row.isIsolated) isolated.add(headKey(row));
    }
    return isolated;
  }

  private remember(key: string, isIsolated: boolean): void {
    this.known.set(key, isIsolated);
    const [oldest] = this.known.keys();
    if (this.known.size > KEPT_AT_MOST && oldest !== undefined) this.known.delete(oldest);
  }
}

/** Returns each answer with the version of the list that was compared: it may have been replaced since it was looked up. */
function compare(
  tx: Tx,
  repositoryId: string,
  patterns: readonly string[],
  heads: readonly Head[],
): Promise<Isolation[]> | readonly Isolation[] {
  if (heads.length === 0) return [];
  return tx.$queryRaw<Isolation[]>`
    SELECT h."number", h."sha", t."version", t."updatedAt", t."targetCount", t."isIsolated"
    FROM ${headsOf(heads)} CROSS JOIN LATERAL (
      SELECT "version", "updatedAt", "targetCount",
        "all" OR EXISTS (SELECT 1 FROM unnest("names") AS n("name") WHERE n."name" LIKE ANY(${patterns}::text[])) AS "isIsolated"
      FROM "ImpactedTargets"
      WHERE "repositoryId" = ${repositoryId}::uuid AND "number" = h."number" AND "sha" = h."sha" LIMIT 1) t`;
}

/** LIKE needs time proportional to both lengths at most, whatever the pattern; a regular expression may need far more. */
function likePattern(glob: string): string {
  return glob.replace(/[\\%_*?]/g, (character) => {
    if (character === '*') return '%';
    return character === '?' ? '_' : `\\${character}`;
  });
}
