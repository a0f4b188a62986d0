import { Prisma } from '../../generated/prisma/client';

/**
 * A query for the valid sessions among these hashes, with the column `hash`. The condition is the same as in
 * `BrowserSessions.find`.
 */
export function livingSessions(hashes: readonly string[], now: Date): Prisma.Sql {
  return Prisma.sql`/* living-sessions livingSessions */
    SELECT s."hash" FROM "BrowserSession" s JOIN "ApiToken" t ON t."id" = s."tokenId" AND t."hash" = s."secretHash"
    WHERE s."hash" = ANY(${[...hashes]}::text[]) AND s."expiresAt" > ${now}
      AND t."revokedAt" IS NULL AND (t."expiresAt" IS NULL OR t."expiresAt" > ${now})`;
}
