-- The processes of the service on this database, with what they run. Each writes its row again every few seconds.
CREATE TABLE "ServiceProcess" (
    "id" UUID NOT NULL,
    "machine" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "facts" JSONB NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "ServiceProcess_pkey" PRIMARY KEY ("id")
);
