import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../../../platform/database/prisma.service';
import { Wakeups } from '../../../../platform/wakeups/wakeups';
import { Sql, type SqlTransaction } from '../../../../platform/database/sql';
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

/** An upload may conflict several times with other uploads of the same tests. */
const UPLOAD = { use: 'uploads', tries: 5 } as const;

/** `tests`: ids of the tests to evaluate now. */
type StoredOrKnown =
  | { readonly type: 'stored'; readonly names: StoredTests; readonly tests: readonly string[] }
  | { readonly type: 'known' };

/** Stores an upload in one transaction: completely or not at all. */
@Injectable()
export class UploadStore {
  constructor(
    private readonly sql: Sql,
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
    for (const day of days)
      await this.prisma.$queryRaw`/* upload-store store */ SELECT test_results.ensure_day(${day}::date)::text`;
    const sets = await storeTestSets(this.prisma, upload, spool.testSets);
    const outcome = await this.sql.transaction<StoredOrKnown>(async (tx) => {
      const moves = movesIn(await lockMovesToRead(tx, upload.repositoryId), spool);
      const id = await claimUpload(tx, upload, spool, sets);
      if (id === null) return { type: 'known' };
      for (const day of days)
        await tx.execute`/* upload-store store 2 */ SELECT pg_advisory_xact_lock_shared(${dayLockKey(day)})`;
      const retries = await retriesAmong(tx, spool.names.possibleRetries);
      const names = await storeTests(tx, { ...upload, mostTests }, spool, moves);
      if (names.setAside > 0)
        await tx.execute`/* upload-store store 3 */ UPDATE "TestUpload" SET "setAside" = ${names.setAside} WHERE "id" = ${id}`;
      const { areRenamed } = names;
      await storeResults(tx, { id, ...upload }, spool, { areRenamed, retries });
      await noteMoves(tx, id, moves);
      await storeFailures(tx, { id, ...upload }, spool, { areRenamed, retries });
      await tellQueues(tx, id, upload, spool);
      if (days.length === 0) return { type: 'stored', names, tests: [] };
      await addToSummedDays(tx, id, days);
      const revised = await reviseInfrastructureFailure(tx, upload, failureLimit);
      const tests = await markTestsOfUpload(tx, { id, ...upload, ...spool.times }, revised);
      return { type: 'stored', names, tests };
    }, UPLOAD);
    if (outcome.type === 'stored') {
      spool.rememberTests(outcome.names);
      this.wakeups.wake('inbox');
    }
    return outcome;
  }
}

/** Null: an upload with this id is already stored. Waits while another process stores an upload with this id. */
async function claimUpload(
  tx: SqlTransaction,
  upload: UploadRow,
  spool: UploadSpool,
  { testSet, skippedSet }: StoredTestSets,
): Promise<string | null> {
  const runnerCounts = JSON.stringify(withoutTriesOfFailed(upload.runnerCounts, spool.names.extraResults));
  const [row] = await tx.rows<{ id: string }>`/* upload-store claimUpload */
    INSERT INTO "TestUpload" ("repositoryId", "uploadId", "receivedAt", "actor", "commit", "branch", "branchClass",
      "prNumber", "variant", "jobUrl", "job", "shard", "part", "attempt",
      "testExitCode", "testSet", "findings", "tree", "line", "changes", "sketch", "counted", "passed", "failed", "skipped",
      "skippedSet", "runnerCounts", "conditions")
    VALUES (${upload.repositoryId}, ${upload.uploadId}, ${upload.receivedAt}, ${upload.actor}, ${upload.commit},
      ${upload.branch}, ${upload.branchClass}, ${upload.prNumber}, ${upload.variant}, ${upload.jobUrl}, ${upload.job},
      ${upload.shard}, ${upload.part}, ${upload.attempt}, ${upload.testExitCode}, ${testSet},
      ${JSON.stringify(spool.findings)}, ${upload.tree}, ${upload.line}, ${upload.changes}, ${spool.distinct.sketch}, true,
      ${spool.passed}, ${spool.failed}, ${spool.skipped}, ${skippedSet}, ${runnerCounts}, ${upload.conditions})
    ON CONFLICT ("repositoryId", "uploadId") DO NOTHING RETURNING "id"::text`;
  return row?.id ?? null;
}
