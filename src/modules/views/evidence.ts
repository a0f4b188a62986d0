import { FailedTestsReader } from '../../domain/failed-tests.port';
import { counts } from '../../engine/policy/statuses';
import type { RunFailure, StatusPin } from '../../engine/model';
import { Injectable } from '@nestjs/common';
import type { TestRun } from '../../generated/prisma/client';
import type { Statements } from '../../platform/database/statements';
import { MOST_BUILT_ON, numbersOfHeads } from './answers';
import type { RedStatus, RunEvidence } from './left-pull-request.dto';

interface Head {
  readonly number: number;
}

interface Row extends Pick<TestRun, 'id' | 'number' | 'baseCommit' | 'branch' | 'tree'> {
  readonly builtOn: readonly Head[];
  readonly failure: RunFailure;
  readonly pins: readonly StatusPin[];
  readonly members: readonly number[];
  /** The commit on which the tests ran. If the result of an earlier run was reused: the commit of that run. */
  readonly commit: string | null;
}

interface RepositoryOfQueue {
  readonly id: string;
  readonly repositoryId: string;
}

/** Finds the evidence of verdicts: failed statuses and failed tests. */
@Injectable()
export class EvidenceReader {
  constructor(private readonly failedTests: FailedTestsReader) {}

  /** Evidence of the failed runs among the given runs, by run id. Uses a constant number of queries. */
  async of(
    tx: Statements,
    queue: RepositoryOfQueue,
    runIds: readonly string[],
  ): Promise<ReadonlyMap<string, RunEvidence>> {
    if (runIds.length === 0) return new Map();
    const rows = await failedRuns(tx, queue, runIds);
    const commits = rows.flatMap(({ commit }) => commit ?? []);
    const statuses = await tx.rows<StatusRow>`/* evidence of */
      SELECT "sha", "name", "app", "state", "url", "description" FROM "CommitStatus"
      WHERE "repositoryId" = ${queue.repositoryId}::uuid AND "sha" = ANY(${commits}::text[]) ORDER BY "name", "kind"`;
    const pushed = rows.flatMap(({ branch, tree }) => (branch !== null && tree !== null ? [{ branch, tree }] : []));
    const tests = await this.failedTests.of(queue.repositoryId, pushed);
    return new Map(
      rows.map((row) => {
        const failed = row.branch === null ? undefined : tests.get(row.branch);
        const evidence: RunEvidence = {
          testRunId: row.id,
          runNumber: row.number,
          baseSha: row.baseCommit,
          builtOn: numbersOfHeads(row.builtOn).slice(-MOST_BUILT_ON),
          members: [...row.members],
          testBranchSha: row.commit,
          redStatuses: statuses.flatMap((status) => (isRed(row, status) ? redStatus(status) : [])),
          failedTestCount: failed?.total ?? null,
          failedTests: (failed?.tests ?? []).map(({ owners: _, since: __, ...test }) => test),
        };
        return [row.id, evidence];
      }),
    );
  }
}

/** The failed runs, with the commit on which the tests ran. `testedRunOf` returns the same commit for a single run. */
function failedRuns(tx: Statements, { repositoryId }: RepositoryOfQueue, runIds: readonly string[]): Promise<Row[]> {
  return tx.rows<Row>`/* evidence failedRuns */
    SELECT r."id", r."number", r."baseCommit", r."builtOn", r."failure", r."pins", t."commit", t."branch", t."tree", (
      SELECT coalesce(jsonb_agg(m."number" ORDER BY m."position"), '[]') FROM "TestRunMember" m WHERE m."runId" = r."id"
    ) AS "members"
    FROM "TestRun" r LEFT JOIN LATERAL (
      SELECT t."commit", t."branch", t."tree" FROM "TestRun" t JOIN "Queue" o ON o."id" = t."queueId"
      WHERE (t."id" = r."id" OR (r."reused" AND t."tree" = r."tree" AND t."resultAt" <= r."resultAt"))
        AND o."repositoryId" = ${repositoryId}::uuid AND t."pushedAt" IS NOT NULL AND t."failure" IS NOT NULL
        AND t."requiredStatuses" @> r."requiredStatuses" AND t."requiredStatuses" <@ r."requiredStatuses"
        AND t."pins" @> r."pins" AND t."pins" <@ r."pins"
      ORDER BY t."resultAt" DESC, t."createdAt" DESC LIMIT 1) t ON true
    WHERE r."id" = ANY(${[...runIds]}::uuid[]) AND jsonb_typeof(r."failure") = 'object'`;
}

interface StatusRow extends RedStatus {
  readonly sha: string;
  readonly app: string | null;
}

const GREEN = ['success', 'neutral', 'skipped'];

function isRed({ commit, failure, pins }: Row, { sha, name, app, state }: StatusRow): boolean {
  const names = failure.type === 'timeout' ? failure.missing : failure.names;
  return sha === commit && names.includes(name) && !GREEN.includes(state) && counts(pins, { name, app });
}

function redStatus({ name, state, url, description }: RedStatus): RedStatus {
  return { name, state, url: url ?? '', description };
}
