-- Which request a decision answered, for the log of the service.
ALTER TABLE "QueueLog" ADD COLUMN "requestId" TEXT;

-- How far the log of each queue has been copied into the log of the service. No row: nothing yet.
CREATE TABLE "CopiedQueueLog" (
    "queueId" UUID NOT NULL,
    "nextSeq" BIGINT NOT NULL,
    CONSTRAINT "CopiedQueueLog_pkey" PRIMARY KEY ("queueId")
);
ALTER TABLE "CopiedQueueLog" ADD CONSTRAINT "CopiedQueueLog_queueId_fkey"
    FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What happened before is not written now.
INSERT INTO "CopiedQueueLog" ("queueId", "nextSeq") SELECT "id", "nextLog" FROM "Queue";
