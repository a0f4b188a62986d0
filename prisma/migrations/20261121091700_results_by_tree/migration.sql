-- CreateIndex
CREATE INDEX "TestRun_tree_resultAt_idx" ON "TestRun"("tree", "resultAt");
