import { Prisma } from '../../../../generated/prisma/client';
import type { SqlTransaction } from '../../../../platform/database/sql';
import { type BranchClass, BRANCH_CLASS_CODES } from '../../rules/branches';
import { COPY_NULL, copyLines } from './copy';
import { withoutRepeats } from './repeated-results';
import { writeRepeated } from './repeated-tests';
import type { UploadSpool } from './upload-spool';

const COLUMNS = Prisma.sql`test_case_id, occurred_at, outcome, duration_ms, summary_id, pr_number, branch_class, upload_id, counted`;

interface Upload {
  readonly id: string;
  readonly prNumber: number | null;
  readonly branchClass: BranchClass;
}

export interface StoredNames {
  /** Whether `renamed_test` has any row. */
  readonly areRenamed: boolean;
  /** Tests that failed and then passed, and that do not share their name with another test. */
  readonly retries: ReadonlySet<string>;
}

/** Stores the results of an upload: one result for each run of a test. */
export async function storeResults(
  tx: SqlTransaction,
  upload: Upload,
  spool: UploadSpool,
  { areRenamed, retries }: StoredNames,
): Promise<void> {
  const { names } = spool;
  const ownNames = (lines: string) => lines;
  const files = [
    { file: spool.results, change: names.any ? withoutRepeats(names, retries) : ownNames },
    { file: spool.attempts, change: ownNames },
  ].filter(({ file }) => !file.isEmpty);
  // Results of an upload that monitors ignore are still listed: TestUpload.counted marks them.
  const same = [upload.prNumber ?? COPY_NULL, BRANCH_CLASS_CODES[upload.branchClass], upload.id, 't'].join('\t');
  if (areRenamed)
    await tx.execute`/* store-results storeResults */ CREATE TEMPORARY TABLE incoming_result (LIKE test_results.result) ON COMMIT DROP`;
  const target = areRenamed ? 'incoming_result' : 'test_results.result';
  for (const { file, change } of files) {
    const withRest = (lines: string) => change(lines).replaceAll('\n', `\t${same}\n`);
    await copyLines(tx, `${target} (${COLUMNS.text})`, file, withRest);
  }
  if (areRenamed) await moveResults(tx);
  if (names.repeated.length > 0) await writeRepeated(tx, names.repeated);
}

/**
 * Moves results to the tests to which they belong. If several names are one test, only the worst of their results
 * stays.
 */
async function moveResults(tx: SqlTransaction): Promise<void> {
  await tx.execute`/* store-results moveResults */
    INSERT INTO test_results.result (${COLUMNS})
    SELECT coalesce(r.stored_as, i.test_case_id), i.occurred_at, i.outcome, i.duration_ms, i.summary_id, i.pr_number,
      i.branch_class, i.upload_id, i.counted
    FROM incoming_result i LEFT JOIN renamed_test r ON r.id = i.test_case_id WHERE r.is_joined IS NOT TRUE`;
  await tx.execute`/* store-results moveResults 2 */
    INSERT INTO test_results.result (${COLUMNS})
    SELECT DISTINCT ON (r.stored_as) r.stored_as, i.occurred_at, i.outcome, i.duration_ms, i.summary_id, i.pr_number,
      i.branch_class, i.upload_id, i.counted
    FROM incoming_result i JOIN renamed_test r ON r.id = i.test_case_id AND r.is_joined
    ORDER BY r.stored_as, CASE i.outcome WHEN 1 THEN 0 WHEN 0 THEN 1 ELSE 2 END, i.occurred_at, i.summary_id`;
}
