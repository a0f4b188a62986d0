-- AlterTable
ALTER TABLE "Queue" ADD COLUMN     "retestFlakyFailures" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "Entry" ADD COLUMN     "suspectRun" JSONB;

-- AlterTable
ALTER TABLE "TestRun" ADD COLUMN     "redSince" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "UploadFact" (
    "repositoryId" UUID NOT NULL,
    "commit" TEXT NOT NULL,
    "upload" TEXT NOT NULL,
    "flaky" INTEGER NOT NULL,
    "others" INTEGER NOT NULL,
    "tests" TEXT[],
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UploadFact_pkey" PRIMARY KEY ("repositoryId","commit","upload")
);

-- CreateIndex
CREATE INDEX "UploadFact_receivedAt_idx" ON "UploadFact"("receivedAt");

-- AddForeignKey
ALTER TABLE "UploadFact" ADD CONSTRAINT "UploadFact_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
