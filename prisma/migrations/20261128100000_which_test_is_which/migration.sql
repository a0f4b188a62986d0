-- AlterTable
ALTER TABLE "TestCase" ADD COLUMN     "identityId" UUID,
ADD COLUMN     "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "patternId" UUID,
ADD COLUMN     "repeated" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "seenAgain" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "TestUpload" ADD COLUMN     "setAside" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE UNIQUE INDEX "TestCase_identityId_key" ON "TestCase"("identityId");

-- CreateIndex
CREATE INDEX "TestCase_repositoryId_lastSeenAt_idx" ON "TestCase"("repositoryId", "lastSeenAt");

-- CreateIndex
CREATE INDEX "TestCase_patternId_idx" ON "TestCase"("patternId");
