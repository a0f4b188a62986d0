-- AlterTable
ALTER TABLE "Queue" ADD COLUMN     "freezeWindows" JSONB NOT NULL DEFAULT '[]';
