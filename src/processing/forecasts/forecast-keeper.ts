import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type Course, type Mark, withCourses } from '../../engine/forecast/forecast';
import { type Situation, situationsOf } from '../../engine/forecast/situation';
import { isConcluded } from '../../engine/states';
import { Clock } from '../../platform/clock/clock';
import { DatabaseOutage } from '../../platform/database/database-outage';
import { Sql } from '../../platform/database/sql';
import type { Statements } from '../../platform/database/statements';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { Lifecycle } from '../../platform/lifecycle/lifecycle';
import type { QueueSnapshot } from '../../engine/model';
import { type QueueRow, readQueue } from '../decisions/queue-lock';
import { SnapshotLoader } from '../decisions/store/snapshot-loader';
import { wasFrozen } from './expected-merge';
import { countErrors, withPromises } from './forecast-errors';
import {
  type CourseRow,
  type NewCourse,
  outcomeAt,
  readCourses,
  readOutcomes,
  readWaiting,
  saveCourses,
  saveOutcomes,
} from './forecast-rows';

const EVERY_MS = 5_000;
/** The number of waiting entries with a forecast. Entries further behind have none. */
const MOST_WAITING = 2_000;
/** The maximum number of marks per pull request; the oldest marks are dropped. */
const MOST_MARKS = 32;

/**
 * Every few seconds, notes the situation of each pull request in the queues that changed, and learns from pull requests
 * that ended how long each situation took. Decisions do not wait for this work or depend on it.
 */
@Injectable()
export class ForecastKeeper implements OnApplicationBootstrap {
  private readonly logger = new Logger(ForecastKeeper.name);
  private inProgress?: Promise<void>;

  constructor(
    private readonly sql: Sql,
    private readonly loader: SnapshotLoader,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    this.lifecycle.onDrain('forecasts', async () => this.inProgress);
  }

  /** Follows every queue that changed since the last call. A call while another call is running joins that call. */
  @BackgroundJob({ name: 'forecasts', everyMs: EVERY_MS })
  follow(): Promise<void> {
    this.inProgress ??= this.followAll().finally(() => (this.inProgress = undefined));
    return this.inProgress;
  }

  private async followAll(): Promise<void> {
    const queues = await this.sql.rows<{ id: string }>`/* forecast-keeper followAll */
      SELECT q."id" FROM "Queue" q LEFT JOIN "ForecastTurn" t ON t."queueId" = q."id"
      WHERE t."version" IS DISTINCT FROM q."version"`;
    for (const { id } of queues) {
      if (this.lifecycle.isStopping) return;
      try {
        await this.sql.transaction((tx) => this.followQueue(tx, id), { planner: 'by index' });
      } catch (error) {
        // The next queue can still be followed, and the failed queue is retried at the next call.
        this.outage.report(this.logger, `The forecasts of queue ${id} could not be brought up to date`, error);
      }
    }
  }

  private async followQueue(tx: Statements, queueId: string): Promise<void> {
    // If the queue has no row in `ForecastTurn`, this statement locks the queue against deletion and inserts the row.
    // If it has the row, a deletion waits for the lock of that row.
    await tx.execute`/* forecast-keeper followQueue */
      INSERT INTO "ForecastTurn" ("queueId", "version")
      SELECT q."id", -1 FROM "Queue" q
      WHERE q."id" = ${queueId}::uuid AND NOT EXISTS (SELECT 1 FROM "ForecastTurn" t WHERE t."queueId" = q."id")
      FOR KEY SHARE ON CONFLICT DO NOTHING`;
    const [turn] = await tx.rows<{ version: bigint }>`/* forecast-keeper followQueue 2 */
      SELECT q."version" FROM "ForecastTurn" t JOIN "Queue" q ON q."id" = t."queueId"
      WHERE t."queueId" = ${queueId}::uuid FOR UPDATE OF t SKIP LOCKED`;
    // Another process follows this queue.
    if (turn === undefined) return;
    const queue = await readQueue(tx, queueId);
    if (queue) await this.look(tx, queue);
    else await forget(tx, queueId);
    await tx.execute`/* forecast-keeper followQueue 3 */ UPDATE "ForecastTurn" SET "version" = ${turn.version} WHERE "queueId" = ${queueId}::uuid`;
  }

  private async look(tx: Statements, queue: QueueRow): Promise<void> {
    const now = this.clock.now();
    const snapshot = await this.loader.load(tx, queue, { numbers: [], commits: [] }, now);
    const waiting = await readWaiting(tx, queue.id, MOST_WAITING);
    // The courses are read last, so that an entry that ends meanwhile is seen as ended and counts once.
    const courses = await readCourses(tx, queue.id);
    const ended = new Set(courses.filter(({ state }) => isConcluded(state)).map(({ entryId }) => entryId));
    const known = new Map(courses.map((course) => [course.entryId, course]));
    const situations = situationsOf(snapshot, waiting);
    const entries = new Map([...waiting, ...snapshot.entries].map((entry) => [entry.id, entry]));
    const changed = [...situations].flatMap(([entryId, situation]): readonly NewCourse[] => {
      const attempt = entries.get(entryId)?.attempt ?? 1;
      const course = known.get(entryId);
      const { marks, promise } = course?.attempt === attempt ? course : NO_COURSE;
      const more = withMark(marks, situation, now);
      return more === marks || ended.has(entryId)
        ? []
        : [{ entryId, queueId: queue.id, attempt, marks: more, promise }];
    });
    const promised = await withPromises(tx, snapshot, changed, entries);
    const gone = [...known.keys()].filter((entryId) => ended.has(entryId) || !situations.has(entryId));
    await saveCourses(tx, promised, gone);
    await learn(tx, snapshot, courses);
    await countErrors(tx, queue.id, courses);
  }
}

const NO_COURSE = { marks: [], promise: null };

function withMark(marks: readonly Mark[], situation: Situation, now: Date): readonly Mark[] {
  if (marks.at(-1)?.situation === situation) return marks;
  return [...marks, { situation, since: now.getTime() }].slice(-MOST_MARKS);
}

/**
 * Learns outcomes from courses that ended. Entries that were cancelled or submitted again are left out, because they
 * say nothing about the queue. So are situations in which a freeze delayed the merge.
 */
async function learn(tx: Statements, { id, settings }: QueueSnapshot, courses: readonly CourseRow[]): Promise<void> {
  const ended = courses.flatMap((course): readonly Course[] => {
    const { priority, marks } = course;
    const endedAt = outcomeAt(course)?.getTime();
    if (endedAt === undefined) return [];
    const telling = marks.filter(({ since }) => !wasFrozen(settings.freezeWindows, priority, since, endedAt));
    return telling.length === 0 ? [] : [{ marks: telling, endedAt }];
  });
  if (ended.length === 0) return;
  const known = await readOutcomes(tx, id);
  await saveOutcomes(tx, id, known, withCourses(known, ended));
}

async function forget(tx: Statements, queueId: string): Promise<void> {
  await tx.execute`/* forecast-keeper forget */ DELETE FROM "ForecastCourse" WHERE "queueId" = ${queueId}::uuid`;
  await tx.execute`/* forecast-keeper forget 2 */ DELETE FROM "ForecastOutcome" WHERE "queueId" = ${queueId}::uuid`;
}
