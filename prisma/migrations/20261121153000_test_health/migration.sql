-- DropForeignKey
ALTER TABLE "TestResult" DROP CONSTRAINT "TestResult_testCaseId_fkey";

-- AlterTable
ALTER TABLE "TestCase" ADD COLUMN     "firstSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "lastFailedAt" TIMESTAMPTZ(3);

-- DropTable
DROP TABLE "TestResult";

-- CreateTable
CREATE TABLE "TestUpload" (
    "id" BIGSERIAL NOT NULL,
    "repositoryId" UUID NOT NULL,
    "uploadId" TEXT NOT NULL,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    "branch" TEXT,
    "branchClass" TEXT NOT NULL,
    "prNumber" INTEGER,
    "variant" TEXT NOT NULL,
    "jobUrl" TEXT,
    "passed" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "skipped" INTEGER NOT NULL,
    "counted" BOOLEAN NOT NULL,

    CONSTRAINT "TestUpload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TestHealthSettings" (
    "repositoryId" UUID NOT NULL,
    "quarantineEnabled" BOOLEAN NOT NULL,
    "autoQuarantine" BOOLEAN NOT NULL,
    "infrastructureFailures" DOUBLE PRECISION NOT NULL,
    "monitors" JSONB NOT NULL,

    CONSTRAINT "TestHealthSettings_pkey" PRIMARY KEY ("repositoryId")
);

-- CreateTable
CREATE TABLE "TestAlarm" (
    "testCaseId" UUID NOT NULL,
    "monitor" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "raisedAt" TIMESTAMPTZ(3) NOT NULL,
    "lookAgainAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "TestAlarm_pkey" PRIMARY KEY ("testCaseId","monitor")
);

-- CreateTable
CREATE TABLE "TestMute" (
    "testCaseId" UUID NOT NULL,
    "monitor" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "mutedAt" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3),

    CONSTRAINT "TestMute_pkey" PRIMARY KEY ("testCaseId","monitor")
);

-- CreateTable
CREATE TABLE "TestStatusChange" (
    "id" BIGSERIAL NOT NULL,
    "testCaseId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "from" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "TestStatusChange_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TestQuarantineChange" (
    "id" BIGSERIAL NOT NULL,
    "testCaseId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT,
    "setting" TEXT NOT NULL,
    "quarantined" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "TestQuarantineChange_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "TestCase_repositoryId_lastFailedAt_idx" ON "TestCase"("repositoryId", "lastFailedAt");

-- CreateIndex
CREATE INDEX "TestUpload_repositoryId_commit_idx" ON "TestUpload"("repositoryId", "commit");

-- CreateIndex
CREATE INDEX "TestUpload_receivedAt_idx" ON "TestUpload"("receivedAt");

-- CreateIndex
CREATE UNIQUE INDEX "TestUpload_repositoryId_uploadId_key" ON "TestUpload"("repositoryId", "uploadId");

-- CreateIndex
CREATE INDEX "TestAlarm_lookAgainAt_idx" ON "TestAlarm"("lookAgainAt");

-- CreateIndex
CREATE INDEX "TestMute_until_idx" ON "TestMute"("until");

-- CreateIndex
CREATE INDEX "TestStatusChange_testCaseId_id_idx" ON "TestStatusChange"("testCaseId", "id");

-- CreateIndex
CREATE INDEX "TestQuarantineChange_testCaseId_id_idx" ON "TestQuarantineChange"("testCaseId", "id");

-- AddForeignKey
ALTER TABLE "TestUpload" ADD CONSTRAINT "TestUpload_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestHealthSettings" ADD CONSTRAINT "TestHealthSettings_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestAlarm" ADD CONSTRAINT "TestAlarm_testCaseId_fkey" FOREIGN KEY ("testCaseId") REFERENCES "TestCase"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestMute" ADD CONSTRAINT "TestMute_testCaseId_fkey" FOREIGN KEY ("testCaseId") REFERENCES "TestCase"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestStatusChange" ADD CONSTRAINT "TestStatusChange_testCaseId_fkey" FOREIGN KEY ("testCaseId") REFERENCES "TestCase"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestQuarantineChange" ADD CONSTRAINT "TestQuarantineChange_testCaseId_fkey" FOREIGN KEY ("testCaseId") REFERENCES "TestCase"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What comes in by the million, in a schema of its own that Prisma does not manage. src/test-health/README.md says who
-- writes and who reads which table.
CREATE SCHEMA test_results;

-- One row per result, in one partition per day (UTC) of its time. No primary key: nothing points at a result.
CREATE TABLE test_results.result (
    test_case_id UUID NOT NULL,
    occurred_at  TIMESTAMPTZ(3) NOT NULL,
    upload_id    BIGINT NOT NULL,
    -- Which failure: test_results.failure_group.summary_id; null unless it failed.
    summary_id   BIGINT,
    duration_ms  INTEGER,
    pr_number    INTEGER,
    -- 0 passed, 1 failed, 2 skipped
    outcome      SMALLINT NOT NULL,
    -- 0 queue, 1 pull request, 2 stable
    branch_class SMALLINT NOT NULL,
    -- Copied from the upload.
    counted      BOOLEAN NOT NULL
) PARTITION BY RANGE (occurred_at);

CREATE INDEX result_by_test ON test_results.result (test_case_id, occurred_at) INCLUDE (outcome, counted);
CREATE INDEX result_failed ON test_results.result (test_case_id, occurred_at) INCLUDE (pr_number, summary_id, upload_id)
    WHERE outcome = 1 AND counted;

-- Failures of one test on one day with the same normalised message. Only what counts.
CREATE TABLE test_results.failure_group (
    repository_id UUID NOT NULL,
    day           DATE NOT NULL,
    test_case_id  UUID NOT NULL,
    summary_id    BIGINT NOT NULL,
    summary       TEXT NOT NULL,
    failures      INTEGER NOT NULL,
    first_at      TIMESTAMPTZ(3) NOT NULL,
    last_at       TIMESTAMPTZ(3) NOT NULL,
    PRIMARY KEY (repository_id, day, test_case_id, summary_id)
);

CREATE INDEX failure_group_by_test ON test_results.failure_group (test_case_id, day);

-- Sums of one test, day and class of branch, made when the day is over. Only what counts.
CREATE TABLE test_results.day_total (
    test_case_id UUID NOT NULL,
    day          DATE NOT NULL,
    branch_class SMALLINT NOT NULL,
    passed       INTEGER NOT NULL,
    failed       INTEGER NOT NULL,
    skipped      INTEGER NOT NULL,
    PRIMARY KEY (test_case_id, day, branch_class)
);

-- Days whose sums are in day_total: what comes late for them is added there at once.
CREATE TABLE test_results.summed_day (
    day       DATE PRIMARY KEY,
    summed_at TIMESTAMPTZ(3) NOT NULL
);

-- Which tests failed in an upload.
CREATE TABLE test_results.upload_failure (
    upload_id    BIGINT NOT NULL,
    test_case_id UUID NOT NULL,
    PRIMARY KEY (upload_id, test_case_id)
);

-- Tests that are to be judged by the monitors: something arrived for them.
CREATE TABLE test_results.judgement_due (
    test_case_id  UUID PRIMARY KEY,
    repository_id UUID NOT NULL,
    since         TIMESTAMPTZ(3) NOT NULL
);

CREATE FUNCTION test_results.partition_of(day DATE) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
$$ SELECT 'result_' || to_char(day, 'YYYYMMDD') $$;

-- Attaching, unlike creating a partition in place, stops neither readers nor writers of the other days.
CREATE FUNCTION test_results.ensure_day(day DATE) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    partition TEXT := test_results.partition_of(day);
BEGIN
    IF to_regclass('test_results.' || partition) IS NOT NULL THEN RETURN; END IF;
    LOCK TABLE test_results.result IN SHARE UPDATE EXCLUSIVE MODE;
    IF to_regclass('test_results.' || partition) IS NOT NULL THEN RETURN; END IF;
    EXECUTE format('CREATE TABLE test_results.%I (LIKE test_results.result INCLUDING ALL)', partition);
    EXECUTE format('ALTER TABLE test_results.result ATTACH PARTITION test_results.%I FOR VALUES FROM (%L) TO (%L)',
        partition, to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
END $$;
