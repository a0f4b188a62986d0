-- What a queue did on a day in UTC. Kept for years: a row is a few hundred bytes.
CREATE TABLE "QueueDay" (
    "queueId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "merged" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "cancelled" INTEGER NOT NULL,
    "runs" INTEGER NOT NULL,
    "reasons" JSONB NOT NULL,
    "waited" JSONB NOT NULL,
    CONSTRAINT "QueueDay_pkey" PRIMARY KEY ("queueId","day")
);
ALTER TABLE "QueueDay" ADD CONSTRAINT "QueueDay_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- How right the forecasts were of what ended on a day. No key to the queue's row: writing it would wait for decisions.
CREATE TABLE "ForecastDay" (
    "queueId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "ended" INTEGER NOT NULL,
    "within" INTEGER NOT NULL,
    "errors" JSONB NOT NULL,
    CONSTRAINT "ForecastDay_pkey" PRIMARY KEY ("queueId","day")
);

-- What was forecast first in this attempt.
ALTER TABLE "ForecastCourse" ADD COLUMN "promise" JSONB;

-- The days that the log still knows. The step of a duration: see src/queue-processing/history/duration-counts.ts.
WITH "ended" AS (
    SELECT "queueId", "entryId", "attempt", "at", ("at" AT TIME ZONE 'UTC')::date AS "day", "toState", "reason"
    FROM "QueueLog" WHERE "type" = 'entryMoved' AND "toState" IN ('merged', 'failed', 'cancelled')
), "waits" AS (
    SELECT e."queueId", e."day",
        CASE WHEN e."at" - s."at" < interval '1 second' THEN 0
            ELSE 1 + floor(ln(extract(epoch FROM e."at" - s."at")) / ln(1.1))::int END AS "step"
    FROM "ended" e JOIN "QueueLog" s
        ON s."entryId" = e."entryId" AND s."attempt" = e."attempt" AND s."type" = 'entrySubmitted'
    WHERE e."toState" = 'merged'
), "tested" AS (
    SELECT "queueId", ("at" AT TIME ZONE 'UTC')::date AS "day", count(*)::int AS "runs"
    FROM "QueueLog" WHERE "type" = 'runPushed' GROUP BY 1, 2
), "counted" AS (
    SELECT "queueId", "day", count(*) FILTER (WHERE "toState" = 'merged')::int AS "merged",
        count(*) FILTER (WHERE "toState" = 'failed')::int AS "failed",
        count(*) FILTER (WHERE "toState" = 'cancelled')::int AS "cancelled"
    FROM "ended" GROUP BY 1, 2
), "why" AS (
    SELECT "queueId", "day", jsonb_object_agg("reason", "count") AS "reasons" FROM (
        SELECT "queueId", "day", "reason", count(*) AS "count" FROM "ended"
        WHERE "toState" <> 'merged' AND "reason" IS NOT NULL GROUP BY 1, 2, 3) r
    GROUP BY 1, 2
), "waited" AS (
    SELECT "queueId", "day", jsonb_object_agg("step", "count") AS "waited" FROM (
        SELECT "queueId", "day", "step"::text, count(*) AS "count" FROM "waits" GROUP BY 1, 2, 3) w
    GROUP BY 1, 2
)
INSERT INTO "QueueDay" ("queueId", "day", "merged", "failed", "cancelled", "runs", "reasons", "waited")
SELECT "queueId", "day", coalesce("merged", 0), coalesce("failed", 0), coalesce("cancelled", 0), coalesce("runs", 0),
    coalesce("reasons", '{}'), coalesce("waited", '{}')
FROM "counted" FULL JOIN "tested" USING ("queueId", "day") LEFT JOIN "why" USING ("queueId", "day")
    LEFT JOIN "waited" USING ("queueId", "day");
