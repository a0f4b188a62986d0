-- AlterTable
ALTER TABLE "LandedChange" ADD COLUMN "landing" INTEGER;
