-- AlterTable
ALTER TABLE "CommitStatus" ADD COLUMN     "reporter" TEXT;

-- AlterTable
ALTER TABLE "Entry" ADD COLUMN     "changedWorkflows" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "Queue" ADD COLUMN     "forkWorkflows" TEXT NOT NULL DEFAULT 'comment',
ADD COLUMN     "neverReportedMinutes" BIGINT DEFAULT 10,
ADD COLUMN     "statusReporters" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "TestRun" ADD COLUMN     "ciEnd" JSONB;

-- CreateTable
CREATE TABLE "StatusReporter" (
    "queueId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "reporter" TEXT NOT NULL,
    "before" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "StatusReporter_pkey" PRIMARY KEY ("queueId","name")
);

-- CreateTable
CREATE TABLE "WorkflowWarning" (
    "queueId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "head" TEXT NOT NULL,
    "answered" TEXT NOT NULL,
    "warnedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "WorkflowWarning_pkey" PRIMARY KEY ("queueId","number","head")
);

-- CreateIndex
CREATE INDEX "WorkflowWarning_warnedAt_idx" ON "WorkflowWarning"("warnedAt");

-- AddForeignKey
ALTER TABLE "StatusReporter" ADD CONSTRAINT "StatusReporter_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WorkflowWarning" ADD CONSTRAINT "WorkflowWarning_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

