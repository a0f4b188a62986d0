-- CreateIndex
CREATE INDEX "ImpactedTargets_updatedAt_idx" ON "ImpactedTargets"("updatedAt");

-- CreateIndex
CREATE INDEX "ComputedTargets_updatedAt_idx" ON "ComputedTargets"("updatedAt");
