import type { Forecast, Mark, Outcomes, SituationOutcomes } from '../../engine/forecast/forecast';
import type { WaitingEntry } from '../../engine/forecast/situation';
import type { EntryState } from '../../engine/vocabulary';
import { type BulkTable, upsertRows } from '../../platform/database/bulk';
import type { Statements } from '../../platform/database/statements';

/** A stored course, with the present state of its entry. */
export interface CourseRow {
  readonly entryId: string;
  readonly attempt: number;
  readonly marks: readonly Mark[];
  /** The first forecast of the attempt, as moments; null if there is none so far. */
  readonly promise: Forecast | null;
  readonly state: EntryState;
  readonly attemptNow: number;
  readonly priority: number;
  readonly concludedAt: Date | null;
}

export interface NewCourse {
  readonly entryId: string;
  readonly queueId: string;
  readonly attempt: number;
  readonly marks: readonly Mark[];
  readonly promise: Forecast | null;
}

const COURSES: BulkTable<NewCourse> = {
  name: 'ForecastCourse',
  columns: { entryId: 'uuid', queueId: 'uuid', attempt: 'int', marks: 'jsonb', promise: 'jsonb' },
};

const OUTCOMES: BulkTable<{ queueId: string; situation: string; learned: SituationOutcomes }> = {
  name: 'ForecastOutcome',
  columns: { queueId: 'uuid', situation: 'text', learned: 'jsonb' },
};

/**
 * When the attempt of the course merged or failed. Null if the attempt had no such outcome, or if the pull request was
 * submitted again.
 */
export function outcomeAt({ state, attempt, attemptNow, concludedAt }: CourseRow): Date | null {
  return (state === 'merged' || state === 'failed') && attempt === attemptNow ? concludedAt : null;
}

/** Reads the courses of a queue in the order of their ends; courses without an end come last. */
export function readCourses(tx: Statements, queueId: string): Promise<CourseRow[]> {
  return tx.rows<CourseRow>`/* forecast-rows readCourses */
    SELECT c."entryId", c."attempt", c."marks", c."promise", e."state", e."attempt" AS "attemptNow", e."priority"::float8 AS "priority",
      e."concludedAt"
    FROM "ForecastCourse" c JOIN "Entry" e ON e."id" = c."entryId"
    WHERE c."queueId" = ${queueId}::uuid ORDER BY e."concludedAt", e."number"`;
}

export async function saveCourses(
  tx: Statements,
  changed: readonly NewCourse[],
  ended: readonly string[],
): Promise<void> {
  await upsertRows(tx, COURSES, ['entryId'], changed);
  if (ended.length > 0)
    await tx.execute`/* forecast-rows saveCourses */ DELETE FROM "ForecastCourse" WHERE "entryId" = ANY(${[...ended]}::uuid[])`;
}

/** Reads the last mark of each entry, in the attempt of its course. */
export function readLastMarks(
  tx: Statements,
  entryIds: readonly string[],
): Promise<{ readonly entryId: string; readonly attempt: number; readonly mark: Mark }[]> {
  return tx.rows`/* forecast-rows readLastMarks */
    SELECT "entryId", "attempt", "marks" -> -1 AS "mark" FROM "ForecastCourse"
    WHERE "entryId" = ANY(${[...entryIds]}::uuid[]) AND jsonb_array_length("marks") > 0`;
}

/** Reads the outcomes of these situations, or of all situations if `situations` is absent. */
export async function readOutcomes(tx: Statements, queueId: string, situations?: readonly string[]): Promise<Outcomes> {
  const named = situations === undefined ? null : [...situations];
  const rows = await tx.rows<{ situation: string; learned: SituationOutcomes }>`/* forecast-rows readOutcomes */
    SELECT "situation", "learned" FROM "ForecastOutcome"
    WHERE "queueId" = ${queueId}::uuid AND (${named}::text[] IS NULL OR "situation" = ANY(${named}::text[]))`;
  return Object.fromEntries(rows.map(({ situation, learned }) => [situation, learned]));
}

export function saveOutcomes(tx: Statements, queueId: string, before: Outcomes, after: Outcomes): Promise<void> {
  const changed = Object.entries(after).filter(([situation, learned]) => before[situation] !== learned);
  const rows = changed.map(([situation, learned]) => ({ queueId, situation, learned }));
  return upsertRows(tx, OUTCOMES, ['queueId', 'situation'], rows);
}

/** Reads the first entries that wait for a test, in their order. */
export function readWaiting(tx: Statements, queueId: string, atMost: number): Promise<WaitingRow[]> {
  return tx.rows<WaitingRow>`/* forecast-rows readWaiting */
    SELECT "id", "attempt", "priority"::float8 AS "priority", "returnedOrder"::float8 AS "returnedOrder" FROM "Entry"
    WHERE "queueId" = ${queueId}::uuid AND "state" = 'pending' AND "place" IS NULL AND "search" IS NULL
      AND "standing" IS NULL
    ORDER BY "pendingRank", "returnedOrder", "priority", "submittedOrder" LIMIT ${atMost}`;
}

export interface WaitingRow extends WaitingEntry {
  readonly attempt: number;
  readonly priority: number;
}
