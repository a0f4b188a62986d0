import type { HeadTold } from '../../domain/code-host.port';
import { Prisma } from '../../generated/prisma/client';
import type { PrismaService } from '../../platform/database/prisma.service';

/** Facts about the present head of a pull request. */
export interface KnownHead {
  /** It was the head at this time, or earlier. */
  readonly since: Date;
  /** Login of the pusher; null: unknown. */
  readonly pushedBy: string | null;
}

interface PullRequestKey {
  readonly repositoryId: string;
  readonly number: number;
}

/**
 * Stores the head that a host event names, unless a later head is known: once for each row of `delivery`. The same
 * commit may become the head a second time, so a push counts from its own time. Any other event only shows that the
 * pull request had the head by then.
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

/** Notes that the head was seen, and returns the facts about it. `at`: taken before the host was asked. */
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
  // Meanwhile an event named another head.
  if (known?.head !== head) return { since: at, pushedBy: null };
  return { since: known.since, pushedBy: known.pushedBy };
}
