-- AlterTable
ALTER TABLE "Entry" ADD COLUMN     "dryRun" BOOLEAN NOT NULL DEFAULT false;
