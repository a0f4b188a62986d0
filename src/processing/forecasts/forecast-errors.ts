import { forecastOf, keysOf } from '../../engine/forecast/forecast';
import type { Entry, QueueSnapshot } from '../../engine/model';
import { landingDue } from '../../engine/wake-time';
import type { Statements } from '../../platform/database/statements';
import { addCounts, withDuration } from '../decisions/duration-counts';
import { dayAt, type ForecastFigures } from '../decisions/queue-days';
import { expectedMerge, outsideFreezes } from './expected-merge';
import { type CourseRow, type NewCourse, outcomeAt, readOutcomes } from './forecast-rows';

/** Adds to courses without a forecast their first forecast, which people see from now on. */
export async function withPromises(
  tx: Statements,
  queue: QueueSnapshot,
  courses: readonly NewCourse[],
  entries: ReadonlyMap<string, Pick<Entry, 'priority'>>,
): Promise<readonly NewCourse[]> {
  const open = courses.filter(({ promise }) => promise === null);
  if (open.length === 0 || queue.state !== 'running') return courses;
  const keys = new Set(open.flatMap(({ marks }) => keysOf(marks.at(-1)!.situation)));
  const outcomes = await readOutcomes(tx, queue.id, [...keys]);
  const { freezeWindows } = queue.settings;
  return courses.map((course) => {
    const entry = entries.get(course.entryId);
    const { situation, since } = course.marks.at(-1)!;
    const forecast = course.promise === null && entry ? forecastOf(outcomes, situation) : null;
    if (forecast === null) return course;
    const earliest = outsideFreezes(freezeWindows, entry!, landingDue(queue, since) ?? since);
    return { ...course, promise: expectedMerge(freezeWindows, entry!, forecast, { since, earliest }) };
  });
}

/**
 * Compares the end of pull requests with their first forecast, and counts the errors. The same transaction deletes
 * their courses, so each pull request is counted once.
 */
export async function countErrors(tx: Statements, queueId: string, courses: readonly CourseRow[]): Promise<void> {
  const days = new Map<number, ForecastFigures>();
  for (const course of courses) {
    const endedAt = outcomeAt(course);
    if (endedAt === null || course.promise === null) continue;
    const { p50, low, high } = course.promise;
    const at = endedAt.getTime();
    const day = dayAt(endedAt).getTime();
    const { ended, within, errors } = days.get(day) ?? NO_ERRORS;
    const isWithin = low <= at && at <= high;
    days.set(day, {
      ended: ended + 1,
      within: within + (isWithin ? 1 : 0),
      errors: withDuration(errors, Math.abs(at - p50)),
    });
  }
  for (const [day, more] of days) await addTo(tx, { queueId, day: new Date(day) }, more);
}

const NO_ERRORS: ForecastFigures = { ended: 0, within: 0, errors: {} };

async function addTo(
  tx: Statements,
  { queueId, day }: { queueId: string; day: Date },
  more: ForecastFigures,
): Promise<void> {
  const date = day.toISOString().slice(0, 10);
  const [known = NO_ERRORS] = await tx.rows<ForecastFigures>`/* forecast-errors addTo */
    SELECT "ended", "within", "errors" FROM "ForecastDay" WHERE "queueId" = ${queueId}::uuid AND "day" = ${date}::date`;
  const [ended, within] = [known.ended + more.ended, known.within + more.within];
  const errors = JSON.stringify(addCounts(known.errors, more.errors));
  await tx.execute`/* forecast-errors addTo 2 */
    INSERT INTO "ForecastDay" ("queueId", "day", "ended", "within", "errors")
    VALUES (${queueId}::uuid, ${date}::date, ${ended}, ${within}, ${errors}::jsonb)
    ON CONFLICT ("queueId", "day") DO UPDATE
    SET "ended" = EXCLUDED."ended", "within" = EXCLUDED."within", "errors" = EXCLUDED."errors"`;
}
