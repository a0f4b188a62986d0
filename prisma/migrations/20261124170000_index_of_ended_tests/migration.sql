-- For listMergeQueueTestingResults. Only few lines of the log are ends of tests, so the index is small.
CREATE INDEX "QueueLog_endedTests_idx" ON "QueueLog"("queueId", "at", "seq") WHERE "fromState" = 'testing';
