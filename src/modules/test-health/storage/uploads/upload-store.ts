import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DirectConnections } from '../../../../platform/database/direct-connections';
import { PrismaService } from '../../../../platform/database/prisma.service';
import { Wakeups } from '../../../../platform/wakeups/wakeups';
import { MOST_TESTS } from '../../rules/live-tests';
import { withoutTriesOfFailed } from '../../rules/runner-counts';
import { dayLockKey } from '../days/day-lock';
import { addToSummedDays } from '../days/day-sums';
import { markTestsOfUpload } from '../evaluation/due-tests';
import { lockMovesToRead, movesIn, noteMoves } from '../moves/active-moves';
import { reviseInfrastructureFailure } from './revise-infrastructure-failure';
import { type StoredTestSets, storeTestSets } from './stored-test-sets';
import { retriesAmong } from './repeated-tests';
import { storeFailures } from './store-failures';
import { storeResults } from './store-results';
import { storeTests } from './store-tests';
import type { StoredTests } from './stored-tests';
import { tellQueues } from './tell-queues';
import type { UploadRow } from './upload-row';
import type { UploadSpool } from './upload-spool';

/** `tests`: ids of the tests to evaluate now. */
type StoredOrKnown =
  | { readonly type: 'stored'; readonly names: StoredTests; readonly tests: readonly string[] }
  | { readonly type: 'known' };

/** Stores an upload in one transaction: all of it or nothing. */
@Injectable()
export class UploadStore {
  constructor(
    private readonly connections: DirectConnections,
    private readonly prisma: PrismaService,
    private readonly wakeups: Wakeups,
  ) {}

  /** `failureLimit`: the share of healthy tests that may fail together. */
  async store(
    upload: UploadRow,
    spool: UploadSpool,
    failureLimit: number,
    mostTests = MOST_TESTS,
  ): Promise<StoredOrKnown> {
    const days = [...spool.days].sort();
    // Outside the transaction below: attaching a partition takes a lock that must not be held for long.
    for (const day of days) await this.prisma.$queryRaw`SELECT test_results.ensure_day(${day}::date)::text`;
    const sets = await storeTestSets(this.prisma, upload, spool.testSets);
    const outcome = await this.connections.transaction<StoredOrKnown>(async (client) => {
      const moves = movesIn(await lockMovesToRead(client, upload.repositoryId), spool);
      const id = await claimUpload(client, upload, spool, sets);
      if (id === null) return { type: 'known' };
      for (const day of days) await client.query('SELECT pg_advisory_xact_lock_shared($1)', [dayLockKey(day)]);
      const retries = await retriesAmong(client, spool.names.possibleRetries);
      const names = await storeTests(client, { ...upload, mostTests }, spool, moves);
      if (names.setAside > 0)
        await client.query('UPDATE "TestUpload" SET "setAside" = $2 WHERE "id" = $1', [id, names.setAside]);
      const { areRenamed } = names;
      await storeResults(client, { id, ...upload }, spool, { areRenamed, retries });
      await noteMoves(client, id, moves);
      await storeFailures(client, { id, ...upload }, spool, { areRenamed, retries });
      await tellQueues(client, id, upload, spool);
      if (days.length === 0) return { type: 'stored', names, tests: [] };
      await addToSummedDays(client, id, days);
      const revised = await reviseInfrastructureFailure(client, upload, failureLimit);
      const tests = await markTestsOfUpload(client, { id, ...upload, ...spool.times }, revised);
      return { type: 'stored', names, tests };
    });
    if (outcome.type === 'stored') {
      spool.rememberTests(outcome.names);
      this.wakeups.wake('inbox');
    }
    return outcome;
  }
}

/** Null: an upload with this id is stored. Waits for one that is being stored. */
async function claimUpload(
  client: PoolClient,
  upload: UploadRow,
  spool: UploadSpool,
  { testSet, skippedSet }: StoredTestSets,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO "TestUpload" ("repositoryId", "uploadId", "receivedAt", "actor", "commit", "branch", "branchClass",
       "prNumber", "variant", "jobUrl", "job", "shard", "part", "attempt",
       "testExitCode", "testSet", "findings", "tree", "line", "changes", "sketch", "counted", "passed", "failed", "skipped",
       "skippedSet", "runnerCounts", "conditions")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, true, $22, $23, $24,
       $25, $26, $27)
     ON CONFLICT ("repositoryId", "uploadId") DO NOTHING RETURNING "id"`,
    [
      ...[upload.repositoryId, upload.uploadId, upload.receivedAt, upload.actor, upload.commit, upload.branch],
      ...[upload.branchClass, upload.prNumber, upload.variant, upload.jobUrl, upload.job, upload.shard],
      ...[upload.part, upload.attempt, upload.testExitCode, testSet, JSON.stringify(spool.findings)],
      ...[upload.tree, upload.line, upload.changes, spool.distinct.sketch],
      ...[spool.passed, spool.failed, spool.skipped],
      ...[skippedSet, JSON.stringify(withoutTriesOfFailed(upload.runnerCounts, spool.names.extraResults))],
      upload.conditions,
    ],
  );
  return rows[0]?.id ?? null;
}
