-- AlterTable
ALTER TABLE "Queue" ADD COLUMN     "flow" JSONB,
ADD COLUMN     "scheduling" TEXT NOT NULL DEFAULT 'in_order';

-- AlterTable
ALTER TABLE "Entry" ADD COLUMN     "flow" JSONB,
ADD COLUMN     "generation" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "standing" TEXT;

-- AlterTable
ALTER TABLE "TestRun" ADD COLUMN     "flow" JSONB;

-- AlterTable
ALTER TABLE "TestRunMember" ADD COLUMN     "generation" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "LandedChange" ADD COLUMN     "generation" INTEGER NOT NULL DEFAULT 0;

-- The entries that flow has in hand. A queue that is scheduled in order has none, so it pays nothing for the index.
CREATE INDEX "Entry_standing_idx" ON "Entry"("queueId") WHERE "standing" IS NOT NULL;
