import type { Finding } from '../../domain/code-host.port';
import { ok, problem } from '../../domain/host-examination';
import type { PrismaService } from '../../platform/database/prisma.service';

const ABOUT = 'Signed statements';
/** The service signs every few seconds. */
const LATE_MS = 10 * 60_000;

/** Whether merges wait for a signature: then no process has the key. */
export async function unsignedMergesFinding(prisma: PrismaService, now: Date): Promise<Finding> {
  const [row] = await prisma.$queryRaw<
    { merges: number; key: string | null }[]
  >`/* unsigned-merges unsignedMergesFinding */
    SELECT count(*)::int AS "merges", (SELECT "id" FROM "AttestationKey" WHERE "until" IS NULL) AS "key"
    FROM "Queue" q JOIN "LandedChange" l ON l."queueId" = q."id" AND l."below" IS NOT NULL AND l."seq" > coalesce(
      (SELECT a."landedSeq" FROM "Attestation" a WHERE a."queueId" = q."id" ORDER BY a."landedSeq" DESC LIMIT 1), 0)
    WHERE l."landedAt" < ${new Date(now.getTime() - LATE_MS)}`;
  const { merges = 0, key = null } = row ?? {};
  if (merges === 0) return ok(ABOUT, key === null ? 'nothing has merged yet' : 'every merge has one');
  const advice = `Give every process the same key in SLUICE_ATTESTATION_KEY_FILE. If the key is lost: sluice attestation rotate-key --lost`;
  return problem(
    ABOUT,
    `${merges} merges have none, because no process has the key ${key?.slice(0, 12) ?? ''}`,
    advice,
  );
}
