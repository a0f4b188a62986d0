import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { BatchingRule } from '../../../engine/model';
import type { Statements } from '../../../platform/database/statements';
import { GlobSet } from '../../../domain/glob-set';
import {
  type Head,
  headKey,
  headsOf,
  inPortions,
  readVersions,
  targetsOfHead,
  type TargetsSource,
  type VersionRow,
  versionOf,
} from './target-sets';

const KEPT_AT_MOST = 20_000;
/** Number of compiled rule sets in the cache. */
const COMPILED_AT_MOST = 8;
/**
 * The maximum number of names that one statement reads, unless one list has more. A name has at most 1,000 characters,
 * so this is at most 25 MB.
 */
const NAMES_AT_ONCE = 25_000;
/**
 * The effort for one list, which is less than a second of processor time. Usual rules need a tenth of it for the
 * longest list.
 */
const EFFORT_AT_MOST = 2_000_000;
/** The number of names that are compared before other work of the process gets its turn. */
const NAMES_PER_TURN = 5_000;

interface NamesRow extends VersionRow {
  readonly all: boolean;
  /** The names as a JSON array. */
  readonly names: string;
}

/**
 * Finds the heads that a batching rule excludes from batches. A list of targets may have 200,000 names, and every
 * decision needs the result. So each list is compared with the rules once, and later decisions read only the version of
 * its row.
 */
export class IsolatedHeads {
  private readonly logger = new Logger(IsolatedHeads.name);
  /** Results by key of head and rules, the oldest result first. */
  private readonly known = new Map<string, boolean>();
  /** Compiled rules by rule set, the oldest first. */
  private readonly compiled = new Map<string, GlobSet>();

  /** The keys of the excluded heads: see `headKey`. */
  async read(
    tx: Statements,
    source: TargetsSource,
    rules: readonly BatchingRule[],
    heads: readonly Head[],
    versions?: readonly VersionRow[] | null,
  ): Promise<ReadonlySet<string>> {
    if (rules.length === 0) return new Set();
    const globs = [...new Set(rules.map(({ targetPattern }) => targetPattern))].sort();
    const question = JSON.stringify(globs);
    const keyOf = (row: VersionRow): string => `${source.repositoryId}/${headKey(row)}/${versionOf(row)}/${question}`;
    const rows = await readVersions(tx, source, heads, versions);
    const unknown = rows.filter((row) => !this.known.has(keyOf(row)));
    const isolated = new Set(rows.filter((row) => this.known.get(keyOf(row))).map(headKey));
    for (const portion of inPortions(unknown, NAMES_AT_ONCE)) {
      for (const row of await readNames(tx, source, portion)) {
        const isIsolated = row.all || (await this.isOneMatched(row, this.globSetOf(question, globs)));
        this.remember(keyOf(row), isIsolated);
        if (isIsolated) isolated.add(headKey(row));
      }
    }
    return isolated;
  }

  /** A head that costs too much effort to compare counts as matched: testing it alone is safe. */
  private async isOneMatched(row: NamesRow, globs: GlobSet): Promise<boolean> {
    let effort = EFFORT_AT_MOST;
    for (const [i, name] of (JSON.parse(row.names) as string[]).entries()) {
      const before = globs.effort;
      const isMatched = globs.matches(name, effort);
      effort -= globs.effort - before;
      if (isMatched === null)
        this.logger.warn(
          `The batching rules are too costly to compare with the targets of #${row.number}, so it is tested alone.`,
        );
      if (isMatched !== false) return true;
      if (i % NAMES_PER_TURN === NAMES_PER_TURN - 1) await nextTurn();
    }
    return false;
  }

  private globSetOf(question: string, globs: readonly string[]): GlobSet {
    const set = this.compiled.get(question) ?? new GlobSet(globs);
    this.compiled.set(question, set);
    dropOldest(this.compiled, COMPILED_AT_MOST);
    return set;
  }

  private remember(key: string, isIsolated: boolean): void {
    this.known.set(key, isIsolated);
    dropOldest(this.known, KEPT_AT_MOST);
  }
}

function dropOldest(map: Map<string, unknown>, keptAtMost: number): void {
  const [oldest] = map.keys();
  if (map.size > keptAtMost && oldest !== undefined) map.delete(oldest);
}

/** Returns each list with its own version, because an upload may have replaced it since `readVersions`. */
function readNames(tx: Statements, source: TargetsSource, heads: readonly Head[]): Promise<NamesRow[]> {
  return tx.rows<NamesRow>`/* isolated-heads readNames */
    SELECT h."number", h."sha", t."origin", t."version", t."updatedAt", t."targetCount", t."all",
      array_to_json(t."names")::text AS "names"
    FROM ${headsOf(heads)} CROSS JOIN LATERAL (${targetsOfHead(source)}) t`;
}
