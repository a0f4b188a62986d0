import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DirectConnections } from '../../../platform/database/direct-connections';
import { PrismaService } from '../../../platform/database/prisma.service';
import { dayLockKey } from '../days/day-lock';
import { BRANCH_CLASS_CODES, type BranchClass } from '../../rules/branches';
import { copyLines } from './copy-lines';
import { COPY_NULL } from './copy-text';
import { storeFailures } from './store-failures';
import { storeTests } from './store-tests';
import type { UploadSpool } from './upload-spool';

export interface UploadRow {
  readonly repositoryId: string;
  readonly uploadId: string;
  readonly receivedAt: Date;
  readonly actor: string;
  readonly commit: string;
  readonly branch: string | null;
  readonly branchClass: BranchClass;
  readonly prNumber: number | null;
  readonly variant: string;
  readonly jobUrl: string | null;
  readonly counted: boolean;
}

/** `tests`: those that the monitors are to look at now. */
export type StoredOrKnown = { readonly type: 'stored'; readonly tests: readonly string[] } | { readonly type: 'known' };

/** Puts a whole upload into the database, in one transaction: all of it or nothing. */
@Injectable()
export class UploadStore {
  constructor(
    private readonly connections: DirectConnections,
    private readonly prisma: PrismaService,
  ) {}

  async store(upload: UploadRow, spool: UploadSpool): Promise<StoredOrKnown> {
    const days = [...spool.days].sort();
    // In transactions of their own: to attach a partition takes a lock that must not be held for long.
    for (const day of days) await this.prisma.$queryRaw`SELECT test_results.ensure_day(${day}::date)::text`;
    const outcome = await this.connections.transaction<StoredOrKnown>(async (client) => {
      const id = await claimUpload(client, upload, spool);
      if (id === null) return { type: 'known' };
      for (const day of days) await client.query('SELECT pg_advisory_xact_lock_shared($1)', [dayLockKey(day)]);
      await storeTests(client, upload, spool);
      await storeResults(client, id, upload, spool);
      const tests = await storeFailures(client, id, upload, spool);
      if (upload.counted) await addToSummedDays(client, id, days);
      return { type: 'stored', tests };
    });
    if (outcome.type === 'stored') spool.rememberTests();
    return outcome;
  }
}

/** Null: an upload with this id is stored. One that is being stored is waited for. */
async function claimUpload(client: PoolClient, upload: UploadRow, spool: UploadSpool): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO "TestUpload" ("repositoryId", "uploadId", "receivedAt", "actor", "commit", "branch", "branchClass",
       "prNumber", "variant", "jobUrl", "counted", "passed", "failed", "skipped")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT ("repositoryId", "uploadId") DO NOTHING RETURNING "id"`,
    [
      ...[upload.repositoryId, upload.uploadId, upload.receivedAt, upload.actor, upload.commit, upload.branch],
      ...[upload.branchClass, upload.prNumber, upload.variant, upload.jobUrl, upload.counted],
      ...[spool.passed, spool.failed, spool.skipped],
    ],
  );
  return rows[0]?.id ?? null;
}

async function storeResults(client: PoolClient, id: string, upload: UploadRow, spool: UploadSpool): Promise<void> {
  const { prNumber, branchClass, counted } = upload;
  const same = [prNumber ?? COPY_NULL, BRANCH_CLASS_CODES[branchClass], id, counted ? 't' : 'f'].join('\t');
  await copyLines(
    client,
    `test_results.result
       (test_case_id, occurred_at, outcome, duration_ms, summary_id, pr_number, branch_class, upload_id, counted)`,
    spool.results,
    (lines) => lines.replaceAll('\n', `\t${same}\n`),
  );
}

/** Days that are over and summed already do not hear of these results otherwise. */
async function addToSummedDays(client: PoolClient, id: string, days: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ day: string }>(
    'SELECT day::text AS day FROM test_results.summed_day WHERE day = ANY($1::date[]) ORDER BY day',
    [days],
  );
  for (const { day } of rows) {
    await client.query(
      `INSERT INTO test_results.day_total (test_case_id, day, branch_class, passed, failed, skipped)
       SELECT test_case_id, $2::date, branch_class, count(*) FILTER (WHERE outcome = 0),
         count(*) FILTER (WHERE outcome = 1), count(*) FILTER (WHERE outcome = 2)
       FROM test_results.result
       WHERE upload_id = $1 AND occurred_at >= $2::date AND occurred_at < $2::date + 1
       GROUP BY test_case_id, branch_class ORDER BY test_case_id, branch_class
       ON CONFLICT (test_case_id, day, branch_class) DO UPDATE SET passed = day_total.passed + excluded.passed,
         failed = day_total.failed + excluded.failed, skipped = day_total.skipped + excluded.skipped`,
      [id, day],
    );
  }
}
