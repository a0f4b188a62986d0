import type { PrismaService } from '../../platform/database/prisma.service';
import type { Submission } from './span';

/**
 * An entry, and a line of its queue's log. Together they identify the submission of the entry that was in progress at
 * that line.
 */
export interface EntryAtLine {
  readonly entryId: string;
  readonly seq: bigint;
}

/** The line number that stands for the present state of an entry. */
export const LATEST_LINE = 9_223_372_036_854_775_807n;

export class TracedSubmissions {
  private constructor(private readonly found: ReadonlyMap<string, Submission>) {}

  static async read(prisma: PrismaService, asked: readonly EntryAtLine[]): Promise<TracedSubmissions> {
    const byKey = new Map(asked.map((one) => [keyOf(one), one]));
    const [ids, seqs] = [[...byKey.values()].map((a) => a.entryId), [...byKey.values()].map((a) => a.seq)];
    const rows = await prisma.$queryRaw<(Submission & { readonly asked: bigint })[]>`/* read-submissions read */
      SELECT a."seq" AS "asked", e."id" AS "entryId", s."attempt", e."queueId", e."number", s."at" AS "submittedAt",
        s."traceParent", o."slug" AS "organization", repo."host", repo."owner", repo."name", q."branch"
      FROM unnest(${ids}::uuid[], ${seqs}::bigint[]) AS a("entryId", "seq")
        JOIN "Entry" e ON e."id" = a."entryId"
        JOIN LATERAL (
          SELECT l."at", l."attempt", l."traceParent" FROM "QueueLog" l
          WHERE l."entryId" = a."entryId" AND l."seq" <= a."seq" AND l."type" = 'entrySubmitted'
          ORDER BY l."seq" DESC LIMIT 1) s ON true
        JOIN "Queue" q ON q."id" = e."queueId"
        JOIN "Repository" repo ON repo."id" = q."repositoryId"
        JOIN "Organization" o ON o."id" = repo."organizationId"`;
    return new TracedSubmissions(
      new Map(rows.map(({ asked: seq, ...row }) => [keyOf({ entryId: row.entryId, seq }), row] as const)),
    );
  }

  /** The submission; undefined if the log of that time was deleted. */
  of(asked: EntryAtLine): Submission | undefined {
    return this.found.get(keyOf(asked));
  }
}

function keyOf({ entryId, seq }: EntryAtLine): string {
  return `${entryId}/${seq}`;
}
