import type { CodeHost, HostRepository } from '../../domain/code-host.port';
import type { TargetSighting } from '../../engine/events';
import type { QueuedHead } from '../../engine/model';
import type { Instant } from '../../engine/vocabulary';
import type { Sql } from '../../platform/database/sql';

/** A target that was reset by more merges than this counts as another branch. */
const MOST_LOST = 200;

interface Target {
  readonly queueId: string;
  readonly repository: HostRepository;
  readonly branch: string;
}

interface Landed extends QueuedHead {
  readonly commit: string;
}

/**
 * The event about the tip of the target branch. Null if the branch does not exist: then the next task fails and waits
 * until the branch is back. `now`: a time before the host is asked. Merges after `now` need not be in the history of
 * the tip.
 * @throws HostUnavailable
 */
export async function sightTarget(
  sql: Sql,
  host: CodeHost,
  target: Target,
  now: Instant,
): Promise<TargetSighting | null> {
  const tip = await host.readBranch(target.repository, target.branch);
  if (!tip) return null;
  const lost = await lostLandings(sql, host, target, { tip: tip.commit, seenAt: now });
  return { type: 'targetSeen', tip, seenAt: now, ...(lost.length > 0 && { lost }) };
}

/**
 * The pull requests that the queue merged and whose commits are not in the history of the target any more, because
 * somebody reset it. If a merge is still in the history, all earlier merges are, too.
 */
async function lostLandings(
  sql: Sql,
  host: CodeHost,
  { queueId, repository }: Target,
  { tip, seenAt }: { readonly tip: string; readonly seenAt: Instant },
): Promise<readonly QueuedHead[]> {
  const landed = await sql.rows<Landed>`/* sight-target lostLandings */
    SELECT l."entryId", l."number", l."head", l."commit" FROM "LandedChange" l
      JOIN "Entry" e ON e."id" = l."entryId" AND e."state" = 'merged' AND e."head" = l."head"
    WHERE l."queueId" = ${queueId}::uuid AND l."landedAt" < ${new Date(seenAt)}
      AND NOT EXISTS (SELECT 1 FROM "LandedChange" later WHERE later."entryId" = l."entryId" AND later."seq" > l."seq")
    ORDER BY l."seq" DESC LIMIT ${MOST_LOST}`;
  const lost: QueuedHead[] = [];
  for (const { commit, ...change } of landed) {
    if (commit === tip || (await host.containsCommit(repository, tip, commit))) break;
    lost.push(change);
  }
  return lost;
}
