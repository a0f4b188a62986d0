-- CreateIndex
CREATE INDEX "CommitStatus_receivedAt_idx" ON "CommitStatus"("receivedAt");
