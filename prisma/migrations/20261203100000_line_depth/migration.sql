-- AlterTable
ALTER TABLE "Queue" ADD COLUMN     "lineDepth" TEXT NOT NULL DEFAULT 'full';
