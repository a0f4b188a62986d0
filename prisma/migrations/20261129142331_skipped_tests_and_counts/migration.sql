-- AlterTable
ALTER TABLE "TestUpload" ADD COLUMN     "runnerCounts" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "skippedSet" BYTEA;

