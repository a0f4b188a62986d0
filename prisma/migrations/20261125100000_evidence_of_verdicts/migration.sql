-- AlterTable
ALTER TABLE "TestCase" ADD COLUMN     "statusFromPullRequests" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "TestUpload" ADD COLUMN     "changes" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "line" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "sketch" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
ADD COLUMN     "tree" TEXT;

-- AlterTable
ALTER TABLE "TestAlarm" ADD COLUMN     "endsWith" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "evidence" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "isFromPullRequests" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "TestStatusChange" ADD COLUMN     "evidence" JSONB NOT NULL DEFAULT '[]';

-- CreateIndex
CREATE INDEX "TestUpload_repositoryId_tree_idx" ON "TestUpload"("repositoryId", "tree");

-- Uploads of before: a stable branch is a line of its own, all testing branches are one.
UPDATE "TestUpload" SET "line" = CASE "branchClass" WHEN 'stable' THEN coalesce("branch", '') WHEN 'queue' THEN 'testing branches' ELSE '' END;

-- The latest results of a test on stable and testing branches, which monitors read in order.
CREATE INDEX result_on_lines ON test_results.result (test_case_id, branch_class, occurred_at) INCLUDE (outcome, upload_id)
    WHERE branch_class <> 1 AND outcome <> 2;

-- The monitors that every repository begins with, for those that have settings of their own already; and fields that are new.
UPDATE "TestHealthSettings" SET "monitors" = (
    SELECT jsonb_agg(CASE m->>'type'
        WHEN 'pass_on_retry' THEN '{"minimumCommits": 1, "branches": []}'::jsonb || m
        WHEN 'failure_count' THEN '{"minimumRuns": 1}'::jsonb || m
        ELSE m END)
    FROM jsonb_array_elements("monitors"::jsonb) AS m
) || '[
    {"type": "consecutive_failures", "name": "consecutive_failures", "enabled": true, "threshold": 3, "flakyThreshold": 8, "branches": ["stable", "queue"]},
    {"type": "transitions", "name": "transitions", "enabled": true, "threshold": 2, "windowDays": 30, "minimumRuns": 10, "branches": ["stable", "queue"]}
]'::jsonb
WHERE jsonb_array_length("monitors"::jsonb) > 0;

-- It was the share of one upload, by default 0.8. It is now that of all healthy tests of a commit.
UPDATE "TestHealthSettings" SET "infrastructureFailures" = 0.25 WHERE "infrastructureFailures" = 0.8;
