-- AlterTable
ALTER TABLE "Repository" ADD COLUMN     "hostId" TEXT;

-- CreateIndex
CREATE INDEX "Repository_host_hostId_idx" ON "Repository"("host", "hostId");
