-- CreateTable
CREATE TABLE "TestMove" (
    "id" BIGSERIAL NOT NULL,
    "repositoryId" UUID NOT NULL,
    "testCaseId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT,
    "reason" TEXT NOT NULL,
    "movedIds" UUID[],
    "formerIds" UUID[] DEFAULT ARRAY[]::UUID[],
    "line" TEXT NOT NULL DEFAULT '',
    "before" JSONB NOT NULL,
    "undoneAt" TIMESTAMPTZ(3),

    CONSTRAINT "TestMove_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TestMoveUpload" (
    "moveId" BIGINT NOT NULL,
    "uploadId" BIGINT NOT NULL,
    "hasBoth" BOOLEAN NOT NULL,

    CONSTRAINT "TestMoveUpload_pkey" PRIMARY KEY ("moveId","uploadId")
);

-- CreateIndex
CREATE INDEX "TestMove_repositoryId_undoneAt_idx" ON "TestMove"("repositoryId", "undoneAt");

-- CreateIndex
CREATE INDEX "TestMove_testCaseId_idx" ON "TestMove"("testCaseId");

-- CreateIndex
CREATE INDEX "TestMoveUpload_uploadId_idx" ON "TestMoveUpload"("uploadId");

-- AddForeignKey
ALTER TABLE "TestMove" ADD CONSTRAINT "TestMove_testCaseId_fkey" FOREIGN KEY ("testCaseId") REFERENCES "TestCase"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestMoveUpload" ADD CONSTRAINT "TestMoveUpload_moveId_fkey" FOREIGN KEY ("moveId") REFERENCES "TestMove"("id") ON DELETE CASCADE ON UPDATE CASCADE;
