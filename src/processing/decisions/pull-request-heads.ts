import type { HeadTold } from '../../domain/code-host.port';
import { Prisma } from '../../generated/prisma/client';
import type { PrismaService } from '../../platform/database/prisma.service';

/** Facts about the present head of a pull request. */
export interface KnownHead {
  /** A time at which the commit already was the head. */
  readonly since: Date;
  /** The login that pushed the head; null if it is not known. */
  readonly pushedBy: string | null;
}

interface PullRequestKey {
  readonly repositoryId: string;
  readonly number: number;
}

/**
 * Stores the head that a host event names, unless a later head is known. The statement reads `delivery`, so it stores
 * nothing for an event that was delivered before. The same commit may become the head a second time, so after a push
 * the head counts from the time of that push. Any other event only shows that the commit was the head by then.
 */
export function headToldSaved({ repositoryId, number }: PullRequestKey, told: HeadTold): Prisma.Sql {
  const { sha, since, pushedBy } = told;
  return Prisma.sql`/* pull-request-heads headToldSaved */
    INSERT INTO "PullRequestHead" AS known ("repositoryId", "number", "head", "since", "pushedBy")
    SELECT ${repositoryId}::uuid, ${number}::int, ${sha}, ${new Date(since)}::timestamptz, ${pushedBy} FROM delivery
    ON CONFLICT ("repositoryId", "number") DO UPDATE
    SET "head" = EXCLUDED."head",
      "since" = CASE WHEN known."head" = EXCLUDED."head" AND EXCLUDED."pushedBy" IS NULL
        THEN least(known."since", EXCLUDED."since") ELSE EXCLUDED."since" END,
      "pushedBy" = CASE WHEN known."head" = EXCLUDED."head"
        THEN coalesce(EXCLUDED."pushedBy", known."pushedBy") ELSE EXCLUDED."pushedBy" END
    WHERE known."since" <= EXCLUDED."since" OR (known."head" = EXCLUDED."head" AND known."pushedBy" IS NULL)`;
}

/** Stores that the head was seen, and returns the facts about the head. `at`: a time before the host was asked. */
export async function saveHeadSeen(
  prisma: PrismaService,
  { repositoryId, number }: PullRequestKey,
  head: string,
  at: Date,
): Promise<KnownHead> {
  await prisma.$executeRaw`/* pull-request-heads saveHeadSeen */
    INSERT INTO "PullRequestHead" AS known ("repositoryId", "number", "head", "since", "pushedBy")
    VALUES (${repositoryId}::uuid, ${number}, ${head}, ${at}, NULL)
    ON CONFLICT ("repositoryId", "number") DO UPDATE
    SET "head" = EXCLUDED."head", "since" = EXCLUDED."since", "pushedBy" = NULL
    WHERE known."head" <> EXCLUDED."head" AND known."since" <= EXCLUDED."since"`;
  const where = { repositoryId_number: { repositoryId, number } };
  const known = await prisma.pullRequestHead.findUnique({ where });
  // An event has named another head meanwhile.
  if (known?.head !== head) return { since: at, pushedBy: null };
  return { since: known.since, pushedBy: known.pushedBy };
}
