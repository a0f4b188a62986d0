import { Prisma } from '../../../generated/prisma/client';
import type { Statements } from '../../../platform/database/statements';
import type { QueueRow } from '../queue-lock';
import { sharesTargets, type TargetSet } from './shared-targets';

export interface Head {
  readonly number: number;
  readonly sha: string;
}

/** The source of targets: uploads for the repository, else targets that the service computes for the queue. */
export interface TargetsSource {
  readonly repositoryId: string;
  /**
   * Targets that the service computes for the queue. `key`: identifies the targets in the current configuration file.
   * Absent: the service never computed targets for this queue.
   */
  readonly computed?: { readonly queueId: string; readonly key: string | null };
}

interface Row extends Head {
  /** Empty if the targets were uploaded, else a text that differs for each source. */
  readonly origin: string;
  readonly version: number;
  readonly updatedAt: Date | string;
}

export interface VersionRow extends Row {
  readonly targetCount: number;
}

/** `hashes`: a JSON array of numbers. */
export interface SetRow extends Row {
  readonly all: boolean;
  readonly hashes: string;
}

class KnownSet implements TargetSet {
  /** Cached results of `sharesTargets` with other sets. Both compared sets keep the result. */
  readonly compared = new Map<KnownSet, boolean>();
  isForgotten = false;

  constructor(
    readonly version: string,
    readonly all: boolean,
    readonly hashes: Float64Array,
  ) {}
}

/** The maximum size of the cache, counted in numbers of eight bytes. */
const KEPT_AT_MOST = 4_000_000;
/** The size of a set without its hashes. */
const SET = 64;
/** The size of one cached comparison, which both sets keep. */
const COMPARISON = 16;
/**
 * The maximum number of hashes that one statement reads, so that the JSON text stays far below the longest string of
 * JavaScript.
 */
const READ_AT_ONCE = 500_000;
/** Up to this many hashes, a comparison is as cheap as a look-up of its cached result. */
const FEW = 64;

/**
 * A cache of impacted targets by head. A list may have 200,000 names, and every decision needs the lists of its
 * entries. So each list is read once, and later decisions read only the version of its row. The least recently used set
 * is dropped first.
 */
export class TargetSets {
  /** The most recently used set is last. */
  private readonly known = new Map<string, KnownSet>();
  private kept = 0;

  constructor(private readonly keptAtMost = KEPT_AT_MOST) {}

  /** Whether the cache has a list of this head, in whatever version. */
  has({ repositoryId }: TargetsSource, head: Head): boolean {
    return this.known.has(`${repositoryId}/${headKey(head)}`);
  }

  /**
   * The sets of these heads as this transaction sees them. A head without targets is absent. `versions` and `set` were
   * read before in the same transaction.
   */
  async read(
    tx: Statements,
    source: TargetsSource,
    heads: readonly Head[],
    versions?: readonly VersionRow[] | null,
    set?: SetRow | null,
  ): Promise<ReadonlyMap<string, TargetSet>> {
    const sets = new Map<string, KnownSet>();
    const unknown: VersionRow[] = [];
    for (const row of await readVersions(tx, source, heads, versions)) {
      const known = this.known.get(`${source.repositoryId}/${headKey(row)}`);
      if (known?.version === versionOf(row)) sets.set(headKey(row), known);
      else if (set && isOf(set, row)) sets.set(headKey(row), knownSetOf(set));
      else unknown.push(row);
    }
    for (const rows of inPortions(unknown, READ_AT_ONCE)) {
      for (const row of await readSets(tx, source, rows)) sets.set(headKey(row), knownSetOf(row));
    }
    for (const [key, set] of sets) this.remember(`${source.repositoryId}/${key}`, set);
    this.forgetOldest(sets.size);
    return sets;
  }

  /** `sharesTargets`, with a cache for sets whose comparison takes long. */
  readonly share = (a: TargetSet, b: TargetSet): boolean => {
    const isQuick = a.all || b.all || a.hashes.length + b.hashes.length <= FEW;
    if (isQuick || !(a instanceof KnownSet) || !(b instanceof KnownSet)) return sharesTargets(a, b);
    const known = a.compared.get(b);
    if (known !== undefined) return known;
    const answer = sharesTargets(a, b);
    if (a === b || a.isForgotten || b.isForgotten) return answer;
    a.compared.set(b, answer);
    b.compared.set(a, answer);
    this.kept += COMPARISON;
    return answer;
  };

  private remember(key: string, set: KnownSet): void {
    // Another load may have dropped one of the sets while this load was reading.
    if (set.isForgotten) return;
    const before = this.known.get(key);
    if (before !== set) {
      if (before) this.forget(key, before);
      this.kept += SET + set.hashes.length;
    }
    this.known.delete(key);
    this.known.set(key, set);
  }

  /** Never drops the sets in use, because the next decision would have to read them again. */
  private forgetOldest(inUse: number): void {
    for (const [key, set] of this.known) {
      if (this.kept <= this.keptAtMost || this.known.size <= inUse) return;
      this.forget(key, set);
    }
  }

  private forget(key: string, set: KnownSet): void {
    this.known.delete(key);
    this.kept -= SET + set.hashes.length + set.compared.size * COMPARISON;
    set.isForgotten = true;
    for (const other of set.compared.keys()) other.compared.delete(set);
    set.compared.clear();
  }
}

function isOf(set: SetRow, version: VersionRow): boolean {
  return headKey(set) === headKey(version) && versionOf(set) === versionOf(version);
}

function knownSetOf(row: SetRow): KnownSet {
  return new KnownSet(versionOf(row), row.all, Float64Array.from(JSON.parse(row.hashes) as number[]));
}

export function headKey({ number, sha }: Head): string {
  return `${number}/${sha}`;
}

export function targetsSourceOf({
  id: queueId,
  repositoryId,
  targetsCommit,
  targetsKey: key,
}: QueueRow): TargetsSource {
  return targetsCommit === null ? { repositoryId } : { repositoryId, computed: { queueId, key } };
}

/**
 * Reads the versions of the lists of these heads, not the lists. `known`: versions that were read before, maybe also of
 * other heads.
 */
export async function readVersions(
  tx: Statements,
  source: TargetsSource,
  heads: readonly Head[],
  known?: readonly VersionRow[] | null,
): Promise<readonly VersionRow[]> {
  if (heads.length === 0) return [];
  if (known) {
    const wanted = new Set(heads.map(headKey));
    return known.filter((row) => wanted.has(headKey(row)));
  }
  return tx.rows<VersionRow>`/* target-sets readVersions */
    SELECT h."number", h."sha", t."origin", t."version", t."updatedAt", t."targetCount"
    FROM ${headsOf(heads)} CROSS JOIN LATERAL (${targetsOfHead(source)}) t`;
}

/** Returns each list with its own version, because an upload may have replaced it since `readVersions`. */
function readSets(tx: Statements, source: TargetsSource, heads: readonly Head[]): Promise<SetRow[]> {
  return tx.rows<SetRow>`/* target-sets readSets */ ${setsOfHeads(source, heads)}`;
}

/**
 * Selects `SetRow`s. JSON rounds the hashes to 53 bits. Rounding keeps their order, and if two hashes become equal,
 * their pull requests only wait for each other.
 */
export function setsOfHeads(source: TargetsSource, heads: readonly Head[]): Prisma.Sql {
  return Prisma.sql`/* target-sets setsOfHeads */
    SELECT h."number", h."sha", t."origin", t."version", t."updatedAt", t."all", array_to_json(t."hashes")::text AS "hashes"
    FROM ${headsOf(heads)} CROSS JOIN LATERAL (${targetsOfHead(source)}) t`;
}

const COLUMNS = Prisma.sql`"version", "updatedAt", "targetCount", "names", "hashes"`;

/**
 * The row of a head `h`. `LIMIT 1` forces one look-up by key for each head, under every plan. Targets that were
 * computed by an older configuration file count as `ALL`, because names of different files cannot be compared.
 */
export function targetsOfHead({ repositoryId, computed }: TargetsSource): Prisma.Sql {
  const uploaded = Prisma.sql`/* target-sets targetsOfHead */
    SELECT ${COLUMNS}, "all", '' AS "origin" FROM "ImpactedTargets"
    WHERE "repositoryId" = ${repositoryId}::uuid AND "number" = h."number" AND "sha" = h."sha"`;
  if (computed === undefined) return Prisma.sql`${uploaded} LIMIT 1`;
  const isOld = Prisma.sql`"configuration" IS DISTINCT FROM ${computed.key}::text`;
  return Prisma.sql`
    (${uploaded}) UNION ALL
    (SELECT ${COLUMNS}, "all" OR ${isOld}, "queueId" || '/' || (${isOld}) FROM "ComputedTargets"
     WHERE "queueId" = ${computed.queueId}::uuid AND "number" = h."number" AND "sha" = h."sha")
    ORDER BY "origin" LIMIT 1`;
}

/** Differs for every upload, also within one millisecond, and if a row was deleted and inserted again. */
export function versionOf({ origin, version, updatedAt }: Row): string {
  return `${origin} ${version} ${new Date(updatedAt).getTime()}`;
}

export function headsOf(heads: readonly Head[]): Prisma.Sql {
  const wanted = heads.map(({ number, sha }) => ({ number, sha }));
  return Prisma.sql`jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS h("number" int, "sha" text)`;
}

/** Groups rows so that a group has at most `targetsAtMost` targets. A row with more targets is a group. */
export function* inPortions(rows: readonly VersionRow[], targetsAtMost: number): Generator<readonly VersionRow[]> {
  let portion: VersionRow[] = [];
  let targets = 0;
  for (const row of rows) {
    if (portion.length > 0 && targets + row.targetCount > targetsAtMost) {
      yield portion;
      portion = [];
      targets = 0;
    }
    portion.push(row);
    targets += row.targetCount;
  }
  if (portion.length > 0) yield portion;
}
