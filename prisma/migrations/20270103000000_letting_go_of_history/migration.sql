-- Deleting a pull request asks whether an entry refers to it. The key is as unique in this order, and nothing looked it up by the queue alone.
CREATE UNIQUE INDEX "Entry_pullRequestId_queueId_key" ON "Entry"("pullRequestId", "queueId");
DROP INDEX "Entry_queueId_pullRequestId_key";

-- Old heads are looked for by age.
CREATE INDEX "PullRequestHead_since_idx" ON "PullRequestHead"("since");
