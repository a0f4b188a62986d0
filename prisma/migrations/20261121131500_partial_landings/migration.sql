-- AlterTable
ALTER TABLE "Queue" ADD COLUMN     "partialLanding" JSONB;
