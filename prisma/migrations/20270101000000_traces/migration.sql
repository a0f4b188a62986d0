-- The trace that a request came with or began, so that what it set going goes on in that trace.
ALTER TABLE "QueueLog" ADD COLUMN "traceParent" TEXT;

-- How far the log of each queue has been told as spans of traces. No row: nothing yet.
CREATE TABLE "TracedQueueLog" (
    "queueId" UUID NOT NULL,
    "nextSeq" BIGINT NOT NULL,
    "leasedBy" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    CONSTRAINT "TracedQueueLog_pkey" PRIMARY KEY ("queueId")
);
ALTER TABLE "TracedQueueLog" ADD CONSTRAINT "TracedQueueLog_queueId_fkey"
    FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
