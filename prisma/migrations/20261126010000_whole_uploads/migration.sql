-- AlterTable
ALTER TABLE "TestUpload" ADD COLUMN     "findings" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "part" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "testExitCode" INTEGER,
ADD COLUMN     "testSet" BYTEA;

-- CreateIndex
CREATE INDEX "TestUpload_repositoryId_job_id_idx" ON "TestUpload"("repositoryId", "job", "id");

-- Which tests uploads hold: src/test-health/rules/test-set.ts. Runs of a job mostly have the same tests, so they share a row.
CREATE TABLE test_results.test_set (
    repository_id UUID NOT NULL,
    digest BYTEA NOT NULL,
    tests BYTEA NOT NULL,
    stored_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (repository_id, digest)
);
-- Hashes do not compress.
ALTER TABLE test_results.test_set ALTER COLUMN tests SET STORAGE EXTERNAL;
