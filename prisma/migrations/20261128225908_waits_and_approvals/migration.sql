-- AlterTable
ALTER TABLE "Entry" ADD COLUMN     "takesOff" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "EntryNeed" ADD COLUMN     "base" TEXT;

-- AlterTable
ALTER TABLE "PullRequest" ADD COLUMN     "approvedBy" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "TestRun" ADD COLUMN     "moved" JSONB;

