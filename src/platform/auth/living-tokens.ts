import { Prisma } from '../../generated/prisma/client';

/**
 * A query for the valid secrets among these hashes, with the column `hash`. The condition is the same as in
 * `TokenResolver`.
 */
export function livingTokens(hashes: readonly string[], now: Date): Prisma.Sql {
  return Prisma.sql`/* living-tokens livingTokens */
    SELECT t."hash" FROM "ApiToken" t
    WHERE t."hash" = ANY(${[...hashes]}::text[]) AND t."revokedAt" IS NULL
      AND (t."expiresAt" IS NULL OR t."expiresAt" > ${now})
    UNION ALL SELECT t."previousHash" FROM "ApiToken" t
    WHERE t."previousHash" = ANY(${[...hashes]}::text[]) AND t."revokedAt" IS NULL
      AND (t."previousUntil" IS NULL OR t."previousUntil" > ${now})`;
}
