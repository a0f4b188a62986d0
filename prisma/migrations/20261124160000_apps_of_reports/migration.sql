-- Check runs of one name by several apps are kept side by side: a rule may demand that of one app.
ALTER TABLE "CommitStatus" ADD COLUMN "source" TEXT NOT NULL DEFAULT '', ADD COLUMN "app" TEXT;

-- A stored check run does not say which app made it, so its end would be stored beside it, and it would run for ever. The
-- poller reads it anew.
DELETE FROM "CommitStatus" WHERE "kind" = 'check_run' AND "state" = 'pending';

ALTER TABLE "CommitStatus" DROP CONSTRAINT "CommitStatus_pkey",
  ADD CONSTRAINT "CommitStatus_pkey" PRIMARY KEY ("repositoryId", "sha", "kind", "name", "source");

ALTER TABLE "TestRun" ADD COLUMN "pins" JSONB NOT NULL DEFAULT '[]';
