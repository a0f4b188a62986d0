-- Impacted targets that the service computes from `targets:` of the configuration file, where CI sent none for a head.
CREATE TABLE "TargetsConfiguration" (
    "queueId"     UUID NOT NULL,
    "commit"      TEXT NOT NULL,
    "key"         TEXT,
    "rewrittenAt" TEXT,
    "problem"     TEXT,
    "readAt"      TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "TargetsConfiguration_pkey" PRIMARY KEY ("queueId"),
    CONSTRAINT "TargetsConfiguration_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "ComputedTargets" (
    "queueId"       UUID NOT NULL,
    "number"        INTEGER NOT NULL,
    "sha"           TEXT NOT NULL,
    "configuration" TEXT NOT NULL,
    "all"           BOOLEAN NOT NULL,
    "targetCount"   INTEGER NOT NULL,
    "names"         TEXT[],
    "hashes"        BIGINT[],
    "version"       INTEGER NOT NULL DEFAULT 1,
    "updatedAt"     TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "ComputedTargets_pkey" PRIMARY KEY ("queueId", "number", "sha"),
    CONSTRAINT "ComputedTargets_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
