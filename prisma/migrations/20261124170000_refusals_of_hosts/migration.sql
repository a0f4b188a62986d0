-- AlterTable
ALTER TABLE "Repository" ADD COLUMN     "refusal" TEXT;

-- AlterTable
ALTER TABLE "OutboxOrder" ADD COLUMN     "refusal" TEXT;
