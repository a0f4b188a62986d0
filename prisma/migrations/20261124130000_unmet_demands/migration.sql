-- AlterTable
ALTER TABLE "PullRequest" ADD COLUMN     "unmet" JSONB NOT NULL DEFAULT '[]';
