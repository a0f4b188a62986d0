-- AlterTable
ALTER TABLE "TestUpload" ADD COLUMN     "conditions" TEXT NOT NULL DEFAULT '';

