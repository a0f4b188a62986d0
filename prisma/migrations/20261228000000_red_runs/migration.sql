-- What flaky tests cost is read from the red runs of a queue, which are few.
CREATE INDEX "TestRun_red_idx" ON "TestRun"("queueId", "resultAt") WHERE "result" = 'failed';
