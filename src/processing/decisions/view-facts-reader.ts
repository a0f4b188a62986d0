import type { TestRun } from '../../generated/prisma/client';
import { Inject, Injectable } from '@nestjs/common';
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
import { Sql } from '../../platform/database/sql';
import type { Statements } from '../../platform/database/statements';
import { testedRunOf } from './tested-run';

type History = Pick<PullRequestViewFacts, 'failedRun' | 'failedTests' | 'landedAs' | 'details'>;

type StatusRow = NamedStatus & { readonly sha: string; readonly app: string | null };

interface FailedRunRow extends Pick<TestRun, 'id' | 'number' | 'reused' | 'commit' | 'timeoutMinutes'> {
  readonly failure: RunFailure;
  readonly builtOn: readonly { readonly number: number }[];
  readonly pins: readonly StatusPin[];
  readonly repositoryId: string;
  readonly own: readonly number[];
}

interface TestedRunRow extends Pick<TestRun, 'number' | 'id' | 'reused' | 'branch' | 'tree'> {
  readonly repositoryId: string;
}

/**
 * Reads the facts of a pull request view that are not in the snapshot, such as failed statuses, failed tests and the
 * merge commit.
 */
@Injectable()
export class ViewFactsReader {
  constructor(
    @Inject(Sql) private readonly sql: Statements,
    private readonly failedTests: FailedTestsReader,
  ) {}

  async historyOf(queue: QueueSnapshot, entry: Entry): Promise<History> {
    return (await this.historiesOf(queue, [entry]))(entry);
  }

  /** Reads the histories of several entries, with the same number of queries for any number of entries. */
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
   * Whether the pull request was later submitted to another queue, or moved to that queue's branch. In these cases, the
   * other queue writes the comment.
   */
  async isClaimedByOtherQueue(queueId: string, number: number): Promise<boolean> {
    const [row] = await this.sql.rows<{ elsewhere: boolean }>`/* view-facts-reader isClaimedByOtherQueue */
      WITH claims AS (
        SELECT q."id" AS "queueId", greatest(e."submittedAt", to_timestamp((o."payload"->>'openedAt')::float8 / 1000)) AS "at"
        FROM "Queue" own JOIN "Queue" q ON q."repositoryId" = own."repositoryId" AND q."deletedAt" IS NULL
          LEFT JOIN "Entry" e ON e."queueId" = q."id" AND e."number" = ${number}
          -- The key of the task, as append-tasks.ts makes it.
          LEFT JOIN "OutboxTask" o ON o."key" = q."id" || '/updatePullRequestView/' || ${number}::text
        WHERE own."id" = ${queueId}::uuid
      )
      SELECT EXISTS (
        SELECT 1 FROM claims own JOIN claims other ON other."queueId" <> own."queueId" AND other."at" > coalesce(own."at", '-infinity')
        WHERE own."queueId" = ${queueId}::uuid) AS "elsewhere"`;
    return row!.elsewhere;
  }

  /** The failed runs behind the states of the entries, by run number. */
  private async failedRunsOf(
    { id: queueId }: QueueSnapshot,
    entries: readonly Entry[],
  ): Promise<Map<number, FailedRun>> {
    const numbers = [...new Set(entries.flatMap(({ stateRun }) => stateRun ?? []))];
    if (numbers.length === 0) return new Map();
    const runs = await this.sql.rows<FailedRunRow>`/* view-facts-reader failedRunsOf */
      SELECT r."id", r."number", r."reused", r."commit", r."failure", r."timeoutMinutes", r."builtOn", r."pins", q."repositoryId",
        ARRAY(SELECT m."number" FROM "TestRunMember" m WHERE m."runId" = r."id" ORDER BY m."position") AS "own"
      FROM "TestRun" r JOIN "Queue" q ON q."id" = r."queueId"
      WHERE r."queueId" = ${queueId}::uuid AND r."number" = ANY(${numbers}::int[]) AND jsonb_typeof(r."failure") <> 'null'`;
    const tested = await Promise.all(
      runs.map(async ({ id, reused, commit }) => (reused ? (await testedRunOf(this.sql, id))?.commit : commit)),
    );
    const statuses = await this.statusesOf(runs[0]?.repositoryId, tested);
    return new Map(
      runs.map((run, i) => [
        run.number,
        {
          commit: run.reused ? null : run.commit,
          failure: run.failure,
          timeoutMinutes: Number(run.timeoutMinutes),
          own: run.own,
          builtOn: run.builtOn.map(({ number }) => number),
          statuses: statuses.filter((status) => status.sha === tested[i] && counts(run.pins, status)),
        },
      ]),
    );
  }

  /** The failed tests of the last run of each entry, by run number. */
  private async failedTestsOf(
    { id: queueId }: QueueSnapshot,
    entries: readonly Entry[],
  ): Promise<ReadonlyMap<number | null, FailedTestsOfRun>> {
    const numbers = [...new Set(entries.flatMap((entry) => testedIn(entry) ?? []))];
    if (numbers.length === 0) return new Map();
    const runs = await this.sql.rows<TestedRunRow>`/* view-facts-reader failedTestsOf */
      SELECT r."number", r."id", r."reused", r."branch", r."tree", q."repositoryId" FROM "TestRun" r JOIN "Queue" q ON q."id" = r."queueId"
      WHERE r."queueId" = ${queueId}::uuid AND r."number" = ANY(${numbers}::int[])`;
    if (runs.length === 0) return new Map();
    const tested = await Promise.all(
      runs.map(async ({ number, id, reused, ...own }) => {
        const run = reused ? await testedRunOf(this.sql, id) : own;
        return { number, branch: run?.branch, tree: run?.tree };
      }),
    );
    const pushed = tested.flatMap(({ number, branch, tree }) => (branch && tree ? [{ number, branch, tree }] : []));
    const uploaded = await this.failedTests.of(runs[0]!.repositoryId, pushed);
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
  ): Promise<StatusRow[]> {
    const known = commits.filter((commit) => typeof commit === 'string');
    if (repositoryId === undefined || known.length === 0) return [];
    return this.sql.rows<StatusRow>`/* view-facts-reader statusesOf */
      SELECT "sha", "name", "app", "state", "url", "description" FROM "CommitStatus"
      WHERE "repositoryId" = ${repositoryId}::uuid AND "sha" = ANY(${known}::text[]) ORDER BY "name", "kind"`;
  }

  /** The merge commits by entry id. */
  private async landedAs(entries: readonly Entry[]): Promise<Map<string, string>> {
    if (entries.length === 0) return new Map();
    const landed = await this.sql.rows<{ entryId: string; commit: string }>`/* view-facts-reader landedAs */
      SELECT "entryId", "commit" FROM "LandedChange" WHERE "entryId" = ANY(${idsOf(entries)}::uuid[]) ORDER BY "landedAt"`;
    return new Map(landed.map(({ entryId, commit }) => [entryId, commit]));
  }

  /** The details of each entry's present state, by entry id. */
  private async detailsOf(
    { id: queueId }: QueueSnapshot,
    entries: readonly Entry[],
  ): Promise<Map<string, string | null>> {
    if (entries.length === 0) return new Map();
    const rows = await this.sql.rows<{ entryId: string; details: string | null }>`/* view-facts-reader detailsOf */
      SELECT DISTINCT ON ("entryId") "entryId", "change" ->> 'details' AS "details"
      FROM "QueueLog"
      WHERE "queueId" = ${queueId}::uuid AND "entryId" = ANY(${idsOf(entries)}::uuid[]) AND "toState" IS NOT NULL
      ORDER BY "entryId", "seq" DESC`;
    return new Map(rows.map(({ entryId, details }) => [entryId, details]));
  }
}

/** The last run with a result that tested the entry; null if there is none. */
function testedIn({ state, stateRun, verifiedByRun }: Pick<Entry, 'state' | 'stateRun' | 'verifiedByRun'>) {
  if (state === 'failed' || state === 'pending_failure') return stateRun;
  return state === 'merged' || state === 'tests_passed' ? verifiedByRun : null;
}

function idsOf(entries: readonly Entry[]): string[] {
  return entries.map(({ id }) => id);
}
