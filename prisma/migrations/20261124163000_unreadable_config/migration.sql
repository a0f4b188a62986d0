-- AlterTable
ALTER TABLE "Entry" ADD COLUMN     "unreadableConfig" JSONB,
ADD COLUMN     "waitsForConfig" TEXT;

-- CreateIndex
CREATE INDEX "Entry_queueId_waitsForConfig_idx" ON "Entry"("queueId", "waitsForConfig");
