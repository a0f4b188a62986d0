-- AlterTable
ALTER TABLE "Entry" ADD COLUMN     "batchAtMost" INTEGER,
ADD COLUMN     "greenRetests" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "returnedGroup" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "search" INTEGER,
ADD COLUMN     "testAnew" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "ImpactedTargets" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "Queue" ADD COLUMN     "nextSearch" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "TestRun" ADD COLUMN     "reused" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "search" INTEGER;

-- CreateTable
CREATE TABLE "CulpritSearch" (
    "queueId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "search" JSONB NOT NULL,

    CONSTRAINT "CulpritSearch_pkey" PRIMARY KEY ("queueId","number")
);

-- CreateIndex
CREATE INDEX "Entry_queueId_search_idx" ON "Entry"("queueId", "search");

-- AddForeignKey
ALTER TABLE "CulpritSearch" ADD CONSTRAINT "CulpritSearch_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A red run under way knows the depth under which it failed; until now there was none, and no result was taken over.
UPDATE "TestRun" SET "failure" = '{"depth": 0, "reused": false}'::jsonb || "failure"
WHERE "live" AND jsonb_typeof("failure") = 'object';
