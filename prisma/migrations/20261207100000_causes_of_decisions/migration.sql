-- AlterTable
ALTER TABLE "Queue" ADD COLUMN "startNotedAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "QueueLog" ADD COLUMN "cause" JSONB;

-- A history is read from where the log notes how the queue was. Prisma has no words for an index over a part.
CREATE INDEX "QueueLog_start_idx" ON "QueueLog"("queueId", "seq") WHERE ("cause" -> 'start') IS NOT NULL;
