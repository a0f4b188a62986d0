-- CreateTable
CREATE TABLE "Attestation" (
    "repositoryId" UUID NOT NULL,
    "branch" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "queueId" UUID NOT NULL,
    "landedSeq" BIGINT NOT NULL,
    "head" TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    "landedAt" TIMESTAMPTZ(3) NOT NULL,
    "payload" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "Attestation_pkey" PRIMARY KEY ("repositoryId","branch","number")
);

-- CreateTable
CREATE TABLE "AttestationKey" (
    "id" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3),
    "rotation" JSONB,
    "revokedFrom" TIMESTAMPTZ(3),

    CONSTRAINT "AttestationKey_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Attestation_repositoryId_commit_idx" ON "Attestation"("repositoryId", "commit");

-- CreateIndex
CREATE INDEX "Attestation_repositoryId_head_idx" ON "Attestation"("repositoryId", "head");

-- CreateIndex
CREATE INDEX "Attestation_landedAt_idx" ON "Attestation"("landedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Attestation_queueId_landedSeq_key" ON "Attestation"("queueId", "landedSeq");

-- AddForeignKey
ALTER TABLE "Attestation" ADD CONSTRAINT "Attestation_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE CASCADE ON UPDATE CASCADE;

