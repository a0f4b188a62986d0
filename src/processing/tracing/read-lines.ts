import { Prisma, type QueueLog, type TestRun } from '../../generated/prisma/client';
import type { PrismaService } from '../../platform/database/prisma.service';

/** A part of the log of one queue. */
export interface Piece {
  readonly queueId: string;
  readonly nextSeq: bigint;
  readonly end: bigint;
}

/** A log line about an entry. */
export interface EntryLine extends Pick<
  QueueLog,
  'queueId' | 'seq' | 'at' | 'type' | 'fromState' | 'toState' | 'reason' | 'traceParent'
> {
  readonly entryId: string;
  readonly why: string | null;
  /** The number of the log line that began the previous state of the entry, which this line ends. */
  readonly enteredSeq: bigint | null;
  readonly enteredAt: Date | null;
  /** The first log line of the decision, and the event on which it was made. */
  readonly decisionSeq: bigint | null;
  readonly decidedOn: string | null;
}

/** The end of a test run for one of its entries: there is one row for each entry in the run. */
export interface EndedRun extends Pick<TestRun, 'number' | 'kind' | 'createdAt' | 'pushedAt' | 'result' | 'commit'> {
  readonly seq: bigint;
  readonly entryId: string;
  readonly runId: string;
  readonly endedAt: Date;
  readonly because: string | null;
  readonly together: number;
  readonly checks: readonly EndedCheck[];
}

/** A check of the built-in check runner. Moments are texts, as in JSON. */
export interface EndedCheck {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly startedAt: string;
  readonly endedAt: string;
}

/** The outcome of a landing for one of its entries: there is one row for each entry in the landing. */
export interface SettledLanding {
  readonly queueId: string;
  readonly seq: bigint;
  readonly entryId: string;
  readonly landing: number;
  readonly orderedAt: Date;
  readonly settledAt: Date;
  readonly outcome: string;
  readonly why: string | null;
}

/**
 * Reads the log lines about entries. Lines from before `since` are skipped, because collectors have no use for spans
 * that old.
 */
export function readEntryLines(prisma: PrismaService, pieces: readonly Piece[], since: Date): Promise<EntryLine[]> {
  return prisma.$queryRaw<EntryLine[]>`/* read-lines readEntryLines */
    SELECT l."queueId", l."seq", l."entryId", l."at", l."type", l."fromState", l."toState", l."reason",
      l."change" ->> 'details' AS "why", l."traceParent", p."seq" AS "enteredSeq", p."at" AS "enteredAt",
      d."seq" AS "decisionSeq", d."cause" #>> '{event,type}' AS "decidedOn"
    FROM (${rowsOf(pieces)}) new
      JOIN "QueueLog" l ON l."queueId" = new."queueId" AND l."seq" >= new."nextSeq" AND l."seq" < new."end"
      LEFT JOIN LATERAL (
        SELECT before."seq", before."at" FROM "QueueLog" before
        WHERE before."entryId" = l."entryId" AND before."seq" < l."seq" AND l."type" = 'entryMoved'
          AND before."type" IN ('entrySubmitted', 'entryMoved')
        ORDER BY before."seq" DESC LIMIT 1) p ON true
      LEFT JOIN LATERAL (
        SELECT first."seq", first."cause" FROM "QueueLog" first
        WHERE first."queueId" = l."queueId" AND first."seq" <= l."seq" AND first."cause" IS NOT NULL
        ORDER BY first."seq" DESC LIMIT 1) d ON true
    WHERE l."entryId" IS NOT NULL AND l."at" >= ${since}
    ORDER BY l."queueId", l."seq"`;
}

export function readEndedRuns(prisma: PrismaService, pieces: readonly Piece[], since: Date): Promise<EndedRun[]> {
  return prisma.$queryRaw<EndedRun[]>`/* read-lines readEndedRuns */
    SELECT l."seq", m."entryId", r."id" AS "runId", r."number", r."kind", r."createdAt", r."pushedAt", l."at" AS "endedAt",
      l."change" ->> 'because' AS "because", r."result", r."commit",
      count(*) OVER (PARTITION BY r."id")::int AS "together", coalesce(c."checks", '[]') AS "checks"
    FROM (${rowsOf(pieces)}) new
      JOIN "QueueLog" l ON l."queueId" = new."queueId" AND l."seq" >= new."nextSeq" AND l."seq" < new."end"
      JOIN "TestRun" r ON r."id" = l."runId"
      JOIN "TestRunMember" m ON m."runId" = r."id"
      LEFT JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('id', c."id", 'name', c."name", 'state', c."state",
          'startedAt', c."startedAt", 'endedAt', c."endedAt")) AS "checks"
        FROM "CheckRun" c WHERE c."testRunId" = r."id" AND c."startedAt" IS NOT NULL AND c."endedAt" IS NOT NULL) c ON true
    WHERE l."type" = 'runEnded' AND l."at" >= ${since}
    ORDER BY l."queueId", l."seq", m."position"`;
}

export function readLandings(prisma: PrismaService, pieces: readonly Piece[], since: Date): Promise<SettledLanding[]> {
  return prisma.$queryRaw<SettledLanding[]>`/* read-lines readLandings */
    SELECT DISTINCT l."queueId", l."seq", m."entryId", (l."change" ->> 'landing')::int AS "landing",
      o."at" AS "orderedAt", l."at" AS "settledAt", l."change" ->> 'outcome' AS "outcome", l."change" ->> 'why' AS "why"
    FROM (${rowsOf(pieces)}) new
      JOIN "QueueLog" l ON l."queueId" = new."queueId" AND l."seq" >= new."nextSeq" AND l."seq" < new."end"
      JOIN LATERAL (
        SELECT ordered."at", ordered."change" -> 'landing' AS "landing" FROM "QueueLog" ordered
        WHERE ordered."queueId" = l."queueId" AND ordered."seq" < l."seq" AND ordered."type" = 'landingOrdered'
        ORDER BY ordered."seq" DESC LIMIT 1) o ON o."landing" ->> 'number' = l."change" ->> 'landing'
      JOIN "TestRun" r ON r."queueId" = l."queueId"
        AND r."number" IN (SELECT run::int FROM jsonb_array_elements_text(o."landing" -> 'runs') AS run)
      JOIN "TestRunMember" m ON m."runId" = r."id"
    WHERE l."type" = 'landingSettled' AND l."at" >= ${since}
    ORDER BY l."queueId", l."seq"`;
}

function rowsOf(pieces: readonly Piece[]): Prisma.Sql {
  const ids = pieces.map(({ queueId }) => queueId);
  const starts = pieces.map(({ nextSeq }) => nextSeq);
  const ends = pieces.map(({ end }) => end);
  return Prisma.sql`/* read-lines rowsOf */ SELECT * FROM unnest(${ids}::uuid[], ${starts}::bigint[], ${ends}::bigint[])
    AS rows("queueId", "nextSeq", "end")`;
}
