-- Browsers that signed in with an API token.
CREATE TABLE "BrowserSession" (
    "hash" TEXT NOT NULL,
    "tokenId" UUID NOT NULL,
    "secretHash" TEXT NOT NULL,
    "personName" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "BrowserSession_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "BrowserSession_tokenId_createdAt_idx" ON "BrowserSession"("tokenId", "createdAt");
CREATE INDEX "BrowserSession_expiresAt_idx" ON "BrowserSession"("expiresAt");
ALTER TABLE "BrowserSession" ADD CONSTRAINT "BrowserSession_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "ApiToken"("id") ON DELETE CASCADE ON UPDATE CASCADE;
