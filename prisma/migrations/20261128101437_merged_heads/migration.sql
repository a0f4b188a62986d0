-- AlterTable
ALTER TABLE "PullRequest" ADD COLUMN     "commits" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "PullRequest_commits_idx" ON "PullRequest" USING GIN ("commits");

-- AlterTable
ALTER TABLE "TestRun" ADD COLUMN     "dropped" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "LandedChange" ADD COLUMN     "below" TEXT;
