import type { PrismaService } from '../../../../platform/database/prisma.service';
import { comparedUploads, passedUploads, type JobUpload } from '../../rules/compared-runs';
import { type RunnerCounts, unusualCounts } from '../../rules/runner-counts';
import { skippedWithoutReason, type UploadedTests } from '../../rules/skipped-tests';
import type { TestIdentity } from '../../rules/test-identity';
import { idsOfKey, KEY_BYTES, keyOfId, missingKeys } from '../../rules/test-set';
import type { JobComparison } from '../../rules/whole-upload';
import { type ActiveMove, activeMoves } from '../moves/active-moves';
import { hexOf, isSameSet, readTestSets } from './stored-test-sets';

const MOST_LISTED = 100;
/** The number of earlier uploads of a job that are searched. */
const MOST_UPLOADS = 100;

/** A stored upload, and its job. */
export interface UploadOfJob {
  readonly id: bigint;
  readonly repositoryId: string;
  readonly commit: string;
  readonly branchClass: string;
  readonly prNumber: number | null;
  readonly line: string;
  readonly variant: string;
  readonly job: string;
  readonly shard: string;
  readonly part: string;
  readonly jobUrl: string | null;
  readonly testSet: Uint8Array | null;
  readonly skippedSet: Uint8Array | null;
  readonly runnerCounts: unknown;
}

export interface MissingTest extends TestIdentity {
  readonly id: string;
  readonly status: string;
  /** The commit of the latest upload with the test. */
  readonly commit: string;
  readonly jobUrl: string | null;
  readonly seenAt: Date;
}

interface TestsOfJob {
  readonly comparison: JobComparison;
  /** The missing tests, at most 100. */
  readonly missing: readonly MissingTest[];
}

interface EarlierUpload extends StoredSets, JobUpload {
  readonly commit: string;
  readonly jobUrl: string | null;
  readonly receivedAt: Date;
  readonly runnerCounts: unknown;
}

/** Digests of stored test sets. */
interface StoredSets {
  readonly testSet: Uint8Array | null;
  readonly skippedSet: Uint8Array | null;
}

interface OtherUploads {
  readonly compared: readonly EarlierUpload[];
  readonly passed: readonly EarlierUpload[];
  readonly shards: readonly StoredSets[];
}

/** Finds tests of earlier runs of the job that are missing from this upload, or that it did not run. */
export async function compareWithJob(prisma: PrismaService, upload: UploadOfJob): Promise<TestsOfJob> {
  if (upload.job === '') return nothingMissing('unknown_job');
  if (upload.testSet === null) return nothingMissing('too_many_tests');
  const earlier = await earlierUploads(prisma, upload);
  const compared = comparedUploads(earlier);
  if (compared.length === 0)
    return nothingMissing((await hasOtherParts(prisma, upload)) ? 'new_part' : 'no_earlier_run');
  if (compared.some(({ testSet }) => testSet === null)) return nothingMissing('too_many_tests');
  const passed = passedUploads(earlier);
  const unusual = unusualCounts(countsOf(upload), passed.map(countsOf));
  const shards = upload.shard === '' ? [] : await otherShards(prisma, upload);
  const sets = await readSets(prisma, upload, { compared, passed, shards });
  const lastSeen = missingFrom(upload, compared, shards, sets);
  if (lastSeen !== null && lastSeen.size > 0)
    leaveOutMoved(lastSeen, setOf(sets, upload.testSet), await activeMoves(prisma, upload.repositoryId));
  const notRun = notRunOf(upload, { compared, passed, shards }, sets);
  if (lastSeen === null || notRun === null) return nothingMissing('no_earlier_run');
  return {
    comparison: { type: 'compared', missing: lastSeen.size, notRun, unusual },
    missing: lastSeen.size === 0 ? [] : await named(prisma, upload, lastSeen),
  };
}

function nothingMissing(type: Exclude<JobComparison['type'], 'compared'>): TestsOfJob {
  return { comparison: { type }, missing: [] };
}

/** Latest first. Uploads of pull requests are compared with later uploads of the same pull request only. */
async function earlierUploads(prisma: PrismaService, upload: UploadOfJob): Promise<EarlierUpload[]> {
  const { id, repositoryId, job, variant, part, shard, jobUrl } = upload;
  const lines = await linesOf(prisma, upload);
  const pullRequest = upload.branchClass === 'pull_request' ? upload.prNumber : null;
  return prisma.$queryRaw<EarlierUpload[]>`/* job-tests earlierUploads */
    SELECT coalesce(u."jobUrl", u."uploadId") AS run, u."testExitCode" AS exit, u."commit", u."jobUrl", u."receivedAt",
      u."testSet", u."skippedSet", u."runnerCounts", u."branchClass" = 'pull_request' AS "isOfPullRequest"
    FROM "TestUpload" u
    WHERE u."repositoryId" = ${repositoryId}::uuid AND u."job" = ${job} AND u."variant" = ${variant}
      AND u."part" = ${part} AND u."shard" = ${shard} AND u."counted" AND u."id" < ${id}
      AND (${jobUrl}::text IS NULL OR u."jobUrl" IS DISTINCT FROM ${jobUrl})
      AND CASE u."branchClass" WHEN 'pull_request' THEN u."prNumber" = ${pullRequest}::int
        ELSE ${lines}::text[] IS NULL OR u."line" = ANY(${lines}::text[]) END
    ORDER BY u."id" DESC LIMIT ${MOST_UPLOADS}`;
}

/** The lines of the target branch, which may have other tests than other branches; null: unknown. */
async function linesOf(prisma: PrismaService, upload: UploadOfJob): Promise<string[] | null> {
  const target = await targetOf(prisma, upload);
  return target === null ? null : [target, `${TESTING}${target}`, TESTING_OF_UNKNOWN];
}

const TESTING = 'testing branches of ';
const TESTING_OF_UNKNOWN = 'testing branches';

async function targetOf(prisma: PrismaService, upload: UploadOfJob): Promise<string | null> {
  const { branchClass, repositoryId, prNumber, line } = upload;
  if (branchClass === 'stable') return line;
  if (branchClass === 'queue') return line.startsWith(TESTING) ? line.slice(TESTING.length) : null;
  if (prNumber === null) return null;
  const where = { repositoryId_number: { repositoryId, number: prNumber } };
  return (await prisma.pullRequest.findUnique({ where, select: { baseBranch: true } }))?.baseBranch ?? null;
}

/** Whether an earlier upload of the job, of any branch, has another part. */
async function hasOtherParts(prisma: PrismaService, upload: UploadOfJob): Promise<boolean> {
  const { id, repositoryId, job, variant, part, shard } = upload;
  const where = { repositoryId, job, variant, shard, part: { not: part }, id: { lt: id } };
  return (await prisma.testUpload.findFirst({ where, select: { id: true } })) !== null;
}

/** Missing tests by key, with the latest of `others` that had the test. Null: an upload's tests are gone. */
function missingFrom(
  upload: UploadOfJob,
  others: readonly EarlierUpload[],
  shards: readonly StoredSets[],
  sets: ReadonlyMap<string, Buffer>,
): Map<bigint, EarlierUpload> | null {
  const lastSeen = new Map<bigint, EarlierUpload>();
  for (const other of others.filter(({ testSet }) => !isSameSet(testSet, upload.testSet))) {
    const [found, expected] = [setOf(sets, upload.testSet), setOf(sets, other.testSet)];
    if (found === null || expected === null) return null;
    for (const key of missingKeys(expected, found)) if (!lastSeen.has(key)) lastSeen.set(key, other);
  }
  for (const { testSet } of shards) {
    const elsewhere = setOf(sets, testSet) ?? Buffer.alloc(0);
    const gone = new Set(missingKeys(keysOf(lastSeen), elsewhere));
    for (const key of lastSeen.keys()) if (!gone.has(key)) lastSeen.delete(key);
  }
  return lastSeen;
}

/** A moved test is not missing if the upload has it under its other name. */
function leaveOutMoved(lastSeen: Map<bigint, EarlierUpload>, found: Buffer | null, moves: readonly ActiveMove[]): void {
  if (found === null || moves.length === 0) return;
  const names = moves.map(({ testCaseId, movedIds, formerIds }) =>
    [testCaseId, ...movedIds, ...formerIds].map(keyOfId),
  );
  const asked = keysOf(new Map(names.flat().map((key) => [key, key])));
  const missing = new Set(missingKeys(asked, found));
  for (const keys of names.filter((own) => own.some((key) => !missing.has(key))))
    for (const key of keys) lastSeen.delete(key);
}

/** The number of skipped tests that may have been cut off. Null: the tests of a compared upload are gone. */
function notRunOf(upload: UploadOfJob, others: OtherUploads, sets: ReadonlyMap<string, Buffer>): number | null {
  const skipped = setOf(sets, upload.skippedSet);
  if (skipped === null || skipped.length === 0) return 0;
  const testsOf = ({ testSet, skippedSet }: StoredSets): UploadedTests[] => {
    const tests = setOf(sets, testSet);
    return tests === null ? [] : [{ tests, skipped: setOf(sets, skippedSet) }];
  };
  const compared = others.compared.flatMap(testsOf);
  if (compared.length < others.compared.length) return null;
  const [passed, shards] = [others.passed.flatMap(testsOf), others.shards.flatMap(testsOf)];
  return skippedWithoutReason({ skipped, compared, passed, shards }).length / KEY_BYTES;
}

function setOf(sets: ReadonlyMap<string, Buffer>, digest: Uint8Array | null): Buffer | null {
  return digest === null ? null : (sets.get(hexOf(digest)) ?? null);
}

/** Most runs have the same tests; then no set is read. */
function readSets(
  prisma: PrismaService,
  upload: UploadOfJob,
  { compared, passed, shards }: OtherUploads,
): Promise<ReadonlyMap<string, Buffer>> {
  const others = [...compared, ...passed];
  const areSame = others.every(
    ({ testSet, skippedSet }) => isSameSet(testSet, upload.testSet) && isSameSet(skippedSet, upload.skippedSet),
  );
  if (areSame) return Promise.resolve(new Map());
  const digests = [upload, ...others, ...shards].flatMap(({ testSet, skippedSet }) => [testSet, skippedSet]);
  const different = new Map(digests.flatMap((digest) => (digest === null ? [] : [[hexOf(digest), digest] as const])));
  return readTestSets(prisma, upload.repositoryId, [...different.values()]);
}

function countsOf({ runnerCounts }: { readonly runnerCounts: unknown }): readonly RunnerCounts[] {
  return runnerCounts as readonly RunnerCounts[];
}

/** Uploads of other shards of the same commit: added tests can move other tests from one shard of a job to another. */
function otherShards(prisma: PrismaService, upload: UploadOfJob): Promise<StoredSets[]> {
  const { repositoryId, commit, job, variant, part, shard, prNumber, branchClass } = upload;
  const where = { repositoryId, commit, job, variant, part, prNumber, branchClass, shard: { notIn: ['', shard] } };
  return prisma.testUpload.findMany({ where, select: { testSet: true, skippedSet: true }, take: MOST_UPLOADS });
}

function keysOf(tests: ReadonlyMap<bigint, unknown>): Buffer {
  const keys = new BigUint64Array([...tests.keys()]).sort();
  const bytes = Buffer.alloc(keys.length * 8);
  keys.forEach((key, at) => bytes.writeBigUInt64BE(key, at * 8));
  return bytes;
}

async function named(
  prisma: PrismaService,
  { repositoryId }: UploadOfJob,
  lastSeen: ReadonlyMap<bigint, EarlierUpload>,
): Promise<readonly MissingTest[]> {
  const ranges = [...lastSeen].slice(0, MOST_LISTED).map(([key, upload]) => ({ ids: idsOfKey(key), upload }));
  type Row = Omit<MissingTest, 'commit' | 'jobUrl' | 'seenAt'> & { readonly at: number };
  const rows = await prisma.$queryRaw<Row[]>`/* job-tests named */
    SELECT k.at::int AS at, t."id", t."name", t."classname", t."parent", t."filePath" AS "file", t."variant", t."status"
    FROM unnest(${ranges.map(({ ids }) => ids[0])}::uuid[], ${ranges.map(({ ids }) => ids[1])}::uuid[])
      WITH ORDINALITY AS k (first, last, at)
    CROSS JOIN LATERAL (
      SELECT c.* FROM "TestCase" c WHERE c."id" BETWEEN k.first AND k.last
      UNION ALL SELECT c.* FROM "TestCase" c WHERE c."identityId" BETWEEN k.first AND k.last
      LIMIT 1
    ) t WHERE t."repositoryId" = ${repositoryId}::uuid
    ORDER BY t."filePath", t."parent", t."classname", t."name", t."id"`;
  return rows.map(({ at, ...test }) => {
    const { commit, jobUrl, receivedAt } = ranges[at - 1]!.upload;
    return { ...test, commit, jobUrl, seenAt: receivedAt };
  });
}
