-- AlterTable
ALTER TABLE "Repository" ADD COLUMN     "unreadSince" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "ServiceHeartbeat" (
    "id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ServiceHeartbeat_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ServiceDowntime" (
    "from" TIMESTAMPTZ(3) NOT NULL,
    "to" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ServiceDowntime_pkey" PRIMARY KEY ("from")
);

-- CreateIndex
CREATE INDEX "ServiceDowntime_to_idx" ON "ServiceDowntime"("to");
