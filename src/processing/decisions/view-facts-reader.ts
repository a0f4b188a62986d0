import { Injectable } from '@nestjs/common';
import { FailedTestsReader } from '../../domain/failed-tests.port';
import type { Entry, QueueSnapshot, RunFailure, StatusPin } from '../../engine/model';
import type {
  FailedRun,
  FailedTestsOfRun,
  NamedStatus,
  PullRequestViewFacts,
} from '../../engine/pull-request-view-facts';
import type { EntryState } from '../../engine/vocabulary';
import { counts } from '../../engine/policy/statuses';
import { Prisma } from '../../generated/prisma/client';
import { PrismaService } from '../../platform/database/prisma.service';
import { testedRunOf } from './tested-run';

type History = Pick<PullRequestViewFacts, 'failedRun' | 'failedTests' | 'landedAs' | 'details'>;

/** Reads what a pull request view shows beyond the snapshot: which tests failed and why, and where the change landed. */
@Injectable()
export class ViewFactsReader {
  constructor(
    private readonly prisma: PrismaService,
    private readonly failedTests: FailedTestsReader,
  ) {}

  async historyOf(queue: QueueSnapshot, entry: Entry): Promise<History> {
    return (await this.historiesOf(queue, [entry]))(entry);
  }

  /** Needs the same few queries for any number of entries. */
  async historiesOf(queue: QueueSnapshot, entries: readonly Entry[]): Promise<(entry: Entry) => History> {
    const inState = (...states: readonly EntryState[]): readonly Entry[] =>
      entries.filter(({ state }) => states.includes(state));
    const [failedRuns, failedTests, details, landedAs] = await Promise.all([
      this.failedRunsOf(queue, inState('failed', 'pending_failure')),
      this.failedTestsOf(queue, entries),
      this.detailsOf(queue, inState('failed', 'merged')),
      this.landedAs(inState('merged')),
    ]);
    return (entry) => ({
      failedRun: (entry.stateRun !== null && failedRuns.get(entry.stateRun)) || null,
      failedTests: failedTests.get(testedIn(entry)) ?? null,
      landedAs: landedAs.get(entry.id) ?? null,
      details: details.get(entry.id) ?? null,
    });
  }

  /**
   * Whether the pull request was submitted to another queue later, or its base was changed to that queue's branch later.
   * Then that queue writes the comment.
   */
  async isClaimedByOtherQueue(queueId: string, number: number): Promise<boolean> {
    const [row] = await this.prisma.$queryRaw<{ elsewhere: boolean }[]>`
      WITH claims AS (
        SELECT q."id" AS "queueId", greatest(e."submittedAt", to_timestamp((o."payload"->>'openedAt')::float8 / 1000)) AS "at"
        FROM "Queue" own JOIN "Queue" q ON q."repositoryId" = own."repositoryId" AND q."deletedAt" IS NULL
          LEFT JOIN "Entry" e ON e."queueId" = q."id" AND e."number" = ${number}
          -- The key of the task, as append-tasks.ts makes it.
          LEFT JOIN "OutboxOrder" o ON o."key" = q."id" || '/updatePullRequestView/' || ${number}::text
        WHERE own."id" = ${queueId}::uuid
      )
      SELECT EXISTS (
        SELECT 1 FROM claims own JOIN claims other ON other."queueId" <> own."queueId" AND other."at" > coalesce(own."at", '-infinity')
        WHERE own."queueId" = ${queueId}::uuid) AS "elsewhere"`;
    return row!.elsewhere;
  }

  /** By the number of the run. */
  private async failedRunsOf(
    { id: queueId }: QueueSnapshot,
    entries: readonly Entry[],
  ): Promise<Map<number, FailedRun>> {
    const numbers = [...new Set(entries.flatMap(({ stateRun }) => stateRun ?? []))];
    if (numbers.length === 0) return new Map();
    const runs = await this.prisma.testRun.findMany({
      where: { queueId, number: { in: numbers }, failure: { not: Prisma.AnyNull } },
      include: { members: { orderBy: { position: 'asc' } }, queue: { select: { repositoryId: true } } },
    });
    const tested = await Promise.all(
      runs.map(async ({ id, reused, commit }) => (reused ? (await testedRunOf(this.prisma, id))?.commit : commit)),
    );
    const statuses = await this.statusesOf(runs[0]?.queue.repositoryId, tested);
    return new Map(
      runs.map((run, i) => [
        run.number,
        {
          commit: run.reused ? null : run.commit,
          failure: run.failure as unknown as RunFailure,
          timeoutMinutes: Number(run.timeoutMinutes),
          own: run.members.map(({ number }) => number),
          builtOn: (run.builtOn as unknown as readonly { readonly number: number }[]).map(({ number }) => number),
          statuses: statuses.filter((status) => status.sha === tested[i] && counts(pinsOf(run), status)),
        },
      ]),
    );
  }

  /** By the number of the run. */
  private async failedTestsOf(
    { id: queueId }: QueueSnapshot,
    entries: readonly Entry[],
  ): Promise<ReadonlyMap<number | null, FailedTestsOfRun>> {
    const numbers = [...new Set(entries.flatMap((entry) => testedIn(entry) ?? []))];
    if (numbers.length === 0) return new Map();
    const select = { number: true, id: true, reused: true, branch: true, tree: true } as const;
    const where = { queueId, number: { in: numbers } };
    const runs = await this.prisma.testRun.findMany({ where, select });
    const tested = await Promise.all(
      runs.map(async ({ number, id, reused, ...own }) => {
        const run = reused ? await testedRunOf(this.prisma, id) : own;
        return { number, branch: run?.branch, tree: run?.tree };
      }),
    );
    const pushed = tested.flatMap(({ number, branch, tree }) => (branch && tree ? [{ number, branch, tree }] : []));
    const { repositoryId } = await this.prisma.queue.findUniqueOrThrow({ where: { id: queueId } });
    const uploaded = await this.failedTests.of(repositoryId, pushed);
    return new Map(
      pushed.flatMap(({ number, branch }) => {
        const known = uploaded.get(branch);
        return known === undefined ? [] : [[number, known] as const];
      }),
    );
  }

  private async statusesOf(
    repositoryId: string | undefined,
    commits: readonly (string | null | undefined)[],
  ): Promise<(NamedStatus & { readonly sha: string; readonly app: string | null })[]> {
    const sha = { in: commits.filter((commit) => typeof commit === 'string') };
    if (repositoryId === undefined || sha.in.length === 0) return [];
    return this.prisma.commitStatus.findMany({
      where: { repositoryId, sha },
      orderBy: [{ name: 'asc' }, { kind: 'asc' }],
      select: { sha: true, name: true, app: true, state: true, url: true, description: true },
    });
  }

  /** The commit on the target, by the id of the entry. */
  private async landedAs(entries: readonly Entry[]): Promise<Map<string, string>> {
    if (entries.length === 0) return new Map();
    const landed = await this.prisma.landedChange.findMany({
      where: { entryId: { in: idsOf(entries) } },
      orderBy: { landedAt: 'asc' },
      select: { entryId: true, commit: true },
    });
    return new Map(landed.map(({ entryId, commit }) => [entryId, commit]));
  }

  /** Details of the present state, by the id of the entry. */
  private async detailsOf(
    { id: queueId }: QueueSnapshot,
    entries: readonly Entry[],
  ): Promise<Map<string, string | null>> {
    if (entries.length === 0) return new Map();
    const rows = await this.prisma.$queryRaw<{ entryId: string; details: string | null }[]>`
      SELECT DISTINCT ON ("entryId") "entryId", "change" ->> 'details' AS "details"
      FROM "QueueLog"
      WHERE "queueId" = ${queueId}::uuid AND "entryId" = ANY(${idsOf(entries)}::uuid[]) AND "toState" IS NOT NULL
      ORDER BY "entryId", "seq" DESC`;
    return new Map(rows.map(({ entryId, details }) => [entryId, details]));
  }
}

/** The last run of an entry that has a result; null: there is none. */
function testedIn({ state, stateRun, verifiedByRun }: Pick<Entry, 'state' | 'stateRun' | 'verifiedByRun'>) {
  if (state === 'failed' || state === 'pending_failure') return stateRun;
  return state === 'merged' || state === 'tests_passed' ? verifiedByRun : null;
}

function idsOf(entries: readonly Entry[]): string[] {
  return entries.map(({ id }) => id);
}

function pinsOf({ pins }: { readonly pins: Prisma.JsonValue }): readonly StatusPin[] {
  return pins as unknown as readonly StatusPin[];
}
