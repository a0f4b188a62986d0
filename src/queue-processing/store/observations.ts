import type { PullRequestObservation, UnmetDemand } from '../../domain/code-host.port';
import type { QueueSnapshot } from '../../engine/model';
import { Prisma } from '../../generated/prisma/client';
import type { Tx } from '../../platform/database/prisma.service';
import { newId } from '../../platform/ids';
import type { QueueLock } from '../queue-lock';
import { type BulkTable, upsertRows } from './bulk';

interface ObservationRow {
  readonly id: string;
  readonly repositoryId: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly authorEmail: string | null;
  readonly url: string | null;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly baseBranch: string | null;
  readonly state: string;
  readonly draft: boolean;
  readonly mergeability: string;
  readonly unmet: readonly UnmetDemand[];
  readonly observedAt: string;
}

const PULL_REQUESTS: BulkTable<ObservationRow> = {
  name: 'PullRequest',
  columns: {
    id: 'uuid',
    repositoryId: 'uuid',
    number: 'int',
    title: 'text',
    body: 'text',
    author: 'text',
    authorEmail: 'text',
    url: 'text',
    headSha: 'text',
    headBranch: 'text',
    baseBranch: 'text',
    state: 'text',
    draft: 'boolean',
    mergeability: 'text',
    unmet: 'jsonb',
    observedAt: 'timestamptz',
  },
};

/** Stores the observations unless newer ones are stored. All queues of the repository share these rows. */
export function saveObservations({ tx, row }: QueueLock, observed: readonly PullRequestObservation[]): Promise<void> {
  const newest = new Map<number, PullRequestObservation>();
  for (const seen of observed) {
    const other = newest.get(seen.number);
    if (!other || other.observedAt <= seen.observedAt) newest.set(seen.number, seen);
  }
  // All writers lock these rows in the same order, so two queues of a repository cannot deadlock.
  const rows = [...newest.values()]
    .sort((a, b) => a.number - b.number)
    .map((seen) => observationRow(row.repositoryId, seen));
  const isNewer = Prisma.sql`"PullRequest"."observedAt" <= EXCLUDED."observedAt"`;
  return upsertRows(tx, PULL_REQUESTS, ['repositoryId', 'number'], rows, isNewer);
}

function observationRow(repositoryId: string, seen: PullRequestObservation): ObservationRow {
  const { number, title, body, author, authorEmail, url, headBranch, state, draft, mergeability } = seen;
  const told = { number, title, body, author, authorEmail, url, headBranch, state, draft, mergeability };
  const { head, base, observedAt, unmet = [] } = seen;
  const where = { headSha: head, baseBranch: base, observedAt: observedAt.toISOString() };
  return { id: newId(), repositoryId, ...told, ...where, unmet };
}

/** Stores facts about pull requests that the decision changed, for instance that one is gone. */
export async function saveFacts(
  tx: Tx,
  repositoryId: string,
  before: QueueSnapshot,
  after: QueueSnapshot,
): Promise<void> {
  const known = new Map(before.entries.map((entry) => [entry.id, entry.pullRequest]));
  const facts = after.entries.flatMap(({ id, pullRequest }) => {
    const same = !known.has(id) || known.get(id) === pullRequest;
    const { unmet = [], seenAt } = pullRequest;
    return same ? [] : [{ ...pullRequest, unmet, seenAt: new Date(seenAt).toISOString() }];
  });
  if (facts.length === 0) return;
  facts.sort((a, b) => a.number - b.number);
  await tx.$executeRaw`
    UPDATE "PullRequest" p
    SET "title" = seen."title", "author" = seen."author", "headSha" = seen."head", "headBranch" = seen."headBranch",
      "baseBranch" = seen."base", "state" = seen."state", "draft" = seen."draft", "mergeability" = seen."mergeability",
      "unmet" = seen."unmet", "observedAt" = seen."seenAt"
    FROM jsonb_to_recordset(${JSON.stringify(facts)}::jsonb) AS seen("number" int, "title" text, "author" text,
      "head" text, "headBranch" text, "base" text, "state" text, "draft" boolean, "mergeability" text, "unmet" jsonb,
      "seenAt" timestamptz)
    WHERE p."repositoryId" = ${repositoryId}::uuid AND p."number" = seen."number" AND p."observedAt" <= seen."seenAt"`;
}
