-- Tokens that exist are not limited. A process of the previous version writes none of these columns and reads no limit.
ALTER TABLE "ApiToken" ADD COLUMN "repositoryIds" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN "bestPriority" BIGINT,
ADD COLUMN "rotatedAt" TIMESTAMPTZ(3),
ADD COLUMN "previousHash" TEXT,
ADD COLUMN "previousUntil" TIMESTAMPTZ(3),
ADD COLUMN "previousRoleVersion" INTEGER;

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_previousHash_key" ON "ApiToken"("previousHash");
