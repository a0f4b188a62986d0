-- AlterTable
ALTER TABLE "TestCase" ADD COLUMN     "outsideTests" BOOLEAN NOT NULL DEFAULT false;
