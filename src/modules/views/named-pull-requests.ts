import type { PullRequest } from '../../generated/prisma/client';
import type { Entry, QueueSnapshot } from '../../engine/model';
import { isConcluded } from '../../engine/states';
import type { EntryState } from '../../engine/vocabulary';
import type { Statements } from '../../platform/database/statements';
import type { Eta } from '../../processing/forecasts/forecast-reader';
import { priorityName } from '../../domain/priority';
import { endOrNull } from './answers';
import type { PicturedPullRequest } from './pictured-pull-request.dto';

interface Row extends Pick<PullRequest, 'number' | 'title' | 'author' | 'url'> {
  readonly state: EntryState | null;
  readonly stateChangedAt: Date | null;
  readonly priority: bigint | null;
  readonly dryRun: boolean | null;
}

interface KnownOf {
  readonly queue: QueueSnapshot;
  readonly etas: ReadonlyMap<string, Eta>;
}

/**
 * Common facts of the pull requests in the answer, ordered by number. Facts in the snapshot take precedence over stored
 * facts.
 */
export async function readNamed(
  db: Statements,
  { id: queueId, repositoryId }: { readonly id: string; readonly repositoryId: string },
  occurring: readonly number[],
  { queue, etas }: KnownOf,
): Promise<PicturedPullRequest[]> {
  const numbers = [...new Set(occurring)];
  if (numbers.length === 0) return [];
  const rows = await db.rows<Row>`/* named-pull-requests readNamed */
    SELECT p."number", p."title", p."author", p."url", e."state", e."stateChangedAt", e."priority", e."dryRun"
    FROM "PullRequest" p LEFT JOIN "Entry" e ON e."pullRequestId" = p."id" AND e."queueId" = ${queueId}::uuid
    WHERE p."repositoryId" = ${repositoryId}::uuid AND p."number" = ANY(${numbers}) ORDER BY p."number"`;
  const entries = new Map(queue.entries.map((entry) => [entry.number, entry]));
  return rows.map((row) => {
    const entry = entries.get(row.number);
    return {
      prNumber: row.number,
      prTitle: row.title,
      prAuthor: row.author,
      prUrl: row.url ?? '',
      ...(entry ? factsOfEntry(entry, etas) : factsOfRow(row)),
    };
  });
}

type QueueFacts = Omit<PicturedPullRequest, 'prNumber' | 'prTitle' | 'prAuthor' | 'prUrl'>;

function factsOfEntry(entry: Entry, etas: KnownOf['etas']): QueueFacts {
  const { id, state, stateChangedAt, priority, dryRun, needs = [] } = entry;
  return {
    state,
    stateChangedAt: new Date(stateChangedAt).toISOString(),
    priorityValue: priority,
    priorityName: priorityName(priority),
    dryRun,
    dependsOn: isConcluded(state) ? [] : [...new Set(needs.map(({ number }) => number))],
    eta: endOrNull(etas.get(id)),
  };
}

function factsOfRow({ state, stateChangedAt, priority, dryRun }: Row): QueueFacts {
  return {
    state,
    stateChangedAt: stateChangedAt?.toISOString() ?? null,
    priorityValue: priority === null ? null : Number(priority),
    priorityName: priority === null ? null : priorityName(Number(priority)),
    dryRun: dryRun ?? false,
    dependsOn: [],
    eta: null,
  };
}
