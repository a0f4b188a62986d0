-- Since when a queue is in its state, and who put it there. null: since before the service kept it.
ALTER TABLE "Queue" ADD COLUMN "stateChangedAt" TIMESTAMPTZ(3),
ADD COLUMN "stateActor" TEXT;

-- What left a queue lately.
CREATE INDEX "Entry_queueId_concludedAt_idx" ON "Entry"("queueId", "concludedAt");
