-- AlterTable
ALTER TABLE "Queue" ADD COLUMN     "maxMergesPerHour" BIGINT;

-- CreateIndex
CREATE INDEX "LandedChange_queueId_landedAt_idx" ON "LandedChange"("queueId", "landedAt");
