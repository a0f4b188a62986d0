-- AlterTable
ALTER TABLE "Entry" ADD COLUMN     "acquittedAt" TIMESTAMPTZ(3);
