-- AlterTable
ALTER TABLE "CheckRun" ADD COLUMN     "attempts" INTEGER NOT NULL DEFAULT 0;
