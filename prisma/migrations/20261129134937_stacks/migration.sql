-- AlterTable
ALTER TABLE "PullRequest" ADD COLUMN     "stack" JSONB;

