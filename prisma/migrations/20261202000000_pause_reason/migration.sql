-- AlterTable
ALTER TABLE "Queue" ADD COLUMN     "pauseReason" TEXT;
