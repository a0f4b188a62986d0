-- CreateTable
CREATE TABLE "EntryNeed" (
    "queueId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "needed" INTEGER NOT NULL,
    "head" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "EntryNeed_pkey" PRIMARY KEY ("queueId","number","needed","head")
);

-- CreateIndex
CREATE INDEX "EntryNeed_queueId_needed_idx" ON "EntryNeed"("queueId", "needed");

-- CreateIndex
CREATE INDEX "Entry_queueId_head_idx" ON "Entry"("queueId", "head");
