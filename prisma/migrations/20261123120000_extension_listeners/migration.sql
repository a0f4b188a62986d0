-- CreateTable
CREATE TABLE "ExtensionListener" (
    "name" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ExtensionListener_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "ExtensionCursor" (
    "listener" TEXT NOT NULL,
    "queueId" UUID NOT NULL,
    "nextSeq" BIGINT NOT NULL,
    "leasedBy" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "claims" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "notBefore" TIMESTAMPTZ(3) NOT NULL,
    "lastProblem" TEXT,

    CONSTRAINT "ExtensionCursor_pkey" PRIMARY KEY ("listener","queueId")
);

-- AddForeignKey
ALTER TABLE "ExtensionCursor" ADD CONSTRAINT "ExtensionCursor_listener_fkey" FOREIGN KEY ("listener") REFERENCES "ExtensionListener"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ExtensionCursor" ADD CONSTRAINT "ExtensionCursor_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
