-- What open pull requests went through so far, for forecasts of when they merge or fail.
CREATE TABLE "ForecastCourse" (
    "entryId" UUID NOT NULL,
    "queueId" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "marks" JSONB NOT NULL,
    CONSTRAINT "ForecastCourse_pkey" PRIMARY KEY ("entryId")
);
CREATE INDEX "ForecastCourse_queueId_idx" ON "ForecastCourse"("queueId");
ALTER TABLE "ForecastCourse" ADD CONSTRAINT "ForecastCourse_entryId_fkey" FOREIGN KEY ("entryId") REFERENCES "Entry"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- No key to the queue's row in these two: writing them would wait for decisions, and decisions for them.
-- How long the last of them took from there, a row for each situation of a queue.
CREATE TABLE "ForecastOutcome" (
    "queueId" UUID NOT NULL,
    "situation" TEXT NOT NULL,
    "learned" JSONB NOT NULL,
    CONSTRAINT "ForecastOutcome_pkey" PRIMARY KEY ("queueId", "situation")
);

-- Up to which version of the queue both tables are.
CREATE TABLE "ForecastTurn" (
    "queueId" UUID NOT NULL,
    "version" BIGINT NOT NULL,
    CONSTRAINT "ForecastTurn_pkey" PRIMARY KEY ("queueId")
);
