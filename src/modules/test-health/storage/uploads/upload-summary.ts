import type { PrismaService } from '../../../../platform/database/prisma.service';
import type { BranchClass } from '../../rules/branches';
import type { TestIdentity } from '../../rules/test-identity';
import { type Doubt, doubtsAbout, NO_FINDINGS, type UploadFindings } from '../../rules/whole-upload';
import { type KnownOfFailure, knownOfFailures } from '../queries/known-of-failures';
import { compareWithJob, type MissingTest } from './job-tests';
import { type SharedTests, testsOfSameAttempt } from './tests-of-attempt';
import type { OutcomeCounts } from '../queries/outcome-counts';

const MOST_LISTED = 1_000;
const MOST_TOLD = 40;

interface FailedTestRow extends TestIdentity {
  readonly id: string;
  readonly status: string;
  readonly quarantined: boolean;
}

export interface UploadSummary extends OutcomeCounts {
  readonly branchClass: BranchClass;
  readonly counted: boolean;
  /** The number of new tests that are stored under one name. */
  readonly setAside: number;
  /** At most 1,000 failures. Tests that are not known to fail come first, and quarantined tests last. */
  readonly failures: readonly FailedTestRow[];
  /** The known history of the first 40 failures. */
  readonly known: ReadonlyMap<string, KnownOfFailure>;
  readonly hasMoreFailures: boolean;
  readonly areAllFailuresQuarantined: boolean;
  readonly findings: UploadFindings;
  readonly shared: SharedTests;
  /** The missing tests, at most 100. */
  readonly missing: readonly MissingTest[];
  readonly missingCount: number;
  readonly doubts: readonly Doubt[];
}

/** The contents of a stored upload. The first answer to the upload and a repeated answer have the same contents. */
export async function readUploadSummary(
  prisma: PrismaService,
  repositoryId: string,
  uploadId: string,
): Promise<UploadSummary> {
  const upload = await prisma.testUpload.findUniqueOrThrow({
    where: { repositoryId_uploadId: { repositoryId, uploadId } },
  });
  const { id, passed, failed, skipped, setAside, counted, branchClass } = upload;
  const findings = { ...NO_FINDINGS, ...(upload.findings as Partial<UploadFindings>) };
  const { comparison, missing } = await compareWithJob(prisma, upload);
  const failures = failed === 0 ? [] : await failuresOf(prisma, id);
  return {
    branchClass: branchClass as BranchClass,
    ...{ counted, passed, failed, skipped, setAside },
    failures: failures.slice(0, MOST_LISTED),
    known: await knownOfFailures(prisma, upload, failures.slice(0, MOST_TOLD)),
    hasMoreFailures: failures.length > MOST_LISTED,
    areAllFailuresQuarantined: failed === 0 || (await isEveryFailureQuarantined(prisma, id)),
    findings,
    shared: await testsOfSameAttempt(prisma, upload),
    missing,
    missingCount: comparison.type === 'compared' ? comparison.missing : 0,
    doubts: doubtsAbout(findings, comparison),
  };
}

function failuresOf(prisma: PrismaService, id: bigint): Promise<FailedTestRow[]> {
  return prisma.$queryRaw<FailedTestRow[]>`/* upload-summary failuresOf */
    SELECT t."id", t."name", t."classname", t."parent", t."filePath" AS "file", t."variant", t."status", t."quarantined"
    FROM test_results.upload_failure f JOIN "TestCase" t ON t."id" = f.test_case_id
    WHERE f.upload_id = ${id}
    ORDER BY t."quarantined", array_position(ARRAY['healthy', 'broken', 'flaky'], t."status"), t."name" COLLATE "C", t."id"
    LIMIT ${MOST_LISTED + 1}`;
}

async function isEveryFailureQuarantined(prisma: PrismaService, id: bigint): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ all: boolean }[]>`/* upload-summary isEveryFailureQuarantined */
    SELECT bool_and(t."quarantined") AS "all"
    FROM test_results.upload_failure f JOIN "TestCase" t ON t."id" = f.test_case_id WHERE f.upload_id = ${id}`;
  return row?.all ?? false;
}
