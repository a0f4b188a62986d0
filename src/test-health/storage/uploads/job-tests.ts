import { createHash } from 'node:crypto';
import type { PrismaService } from '../../../platform/database/prisma.service';
import { comparedUploads } from '../../rules/compared-runs';
import { idsOfKey, missingKeys, type TestSet } from '../../rules/test-set';
import type { JobComparison } from '../../rules/whole-upload';
import type { UploadRow } from './upload-row';

const MOST_LISTED = 100;
/** Earlier uploads of a job that are looked at. */
const MOST_UPLOADS = 100;
const DIGEST_BYTES = 16;

/** Stores which tests the upload has, and returns the digest; null when they will not be compared. */
export async function storeTestSet(
  prisma: PrismaService,
  { repositoryId, job, receivedAt }: UploadRow,
  testSet: TestSet,
): Promise<Buffer | null> {
  const tests = job === '' ? null : testSet.toBytes();
  if (tests === null) return null;
  const digest = createHash('sha256').update(tests).digest().subarray(0, DIGEST_BYTES);
  // Not in the transaction of the upload: uploads of the same tests would wait for each other.
  await prisma.$executeRaw`
    INSERT INTO test_results.test_set (repository_id, digest, tests, stored_at)
    VALUES (${repositoryId}::uuid, ${digest}, ${tests}, ${receivedAt}) ON CONFLICT (repository_id, digest) DO NOTHING`;
  return digest;
}

/** An upload as it is stored, and its job. */
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
}

export interface MissingTest {
  readonly id: string;
  readonly name: string;
  readonly classname: string;
  readonly parent: string;
  readonly file: string;
  readonly variant: string;
  readonly status: string;
  /** The latest upload that has it. */
  readonly commit: string;
  readonly jobUrl: string | null;
  readonly seenAt: Date;
}

interface TestsOfJob {
  readonly comparison: JobComparison;
  /** At most 100. */
  readonly missing: readonly MissingTest[];
}

interface EarlierUpload {
  readonly run: string;
  readonly exit: number | null;
  readonly isOfPullRequest: boolean;
  readonly commit: string;
  readonly jobUrl: string | null;
  readonly receivedAt: Date;
  readonly testSet: Uint8Array | null;
}

/** Finds the tests that earlier runs of the job had and this upload has not. */
export async function compareWithJob(prisma: PrismaService, upload: UploadOfJob): Promise<TestsOfJob> {
  if (upload.job === '') return nothingMissing('unknown_job');
  if (upload.testSet === null) return nothingMissing('too_many_tests');
  const compared = comparedUploads(await earlierUploads(prisma, upload));
  if (compared.length === 0) return nothingMissing('no_earlier_run');
  if (compared.some(({ testSet }) => testSet === null)) return nothingMissing('too_many_tests');
  const others = compared.filter(({ testSet }) => !isSame(testSet, upload.testSet));
  if (others.length === 0) return { comparison: { type: 'compared', missing: 0 }, missing: [] };
  const lastSeen = await missingFrom(prisma, upload, others);
  if (lastSeen === null) return nothingMissing('no_earlier_run');
  return { comparison: { type: 'compared', missing: lastSeen.size }, missing: await named(prisma, upload, lastSeen) };
}

function nothingMissing(type: 'unknown_job' | 'no_earlier_run' | 'too_many_tests'): TestsOfJob {
  return { comparison: { type }, missing: [] };
}

/** The latest first. What pull requests upload is compared with later uploads of the same pull request only. */
async function earlierUploads(prisma: PrismaService, upload: UploadOfJob): Promise<EarlierUpload[]> {
  const { id, repositoryId, job, variant, part, shard, jobUrl } = upload;
  const lines = await linesOf(prisma, upload);
  const pullRequest = upload.branchClass === 'pull_request' ? upload.prNumber : null;
  return prisma.$queryRaw<EarlierUpload[]>`
    SELECT coalesce(u."jobUrl", u."uploadId") AS run, u."testExitCode" AS exit, u."commit", u."jobUrl", u."receivedAt",
      u."testSet", u."branchClass" = 'pull_request' AS "isOfPullRequest"
    FROM "TestUpload" u
    WHERE u."repositoryId" = ${repositoryId}::uuid AND u."job" = ${job} AND u."variant" = ${variant}
      AND u."part" = ${part} AND u."shard" = ${shard} AND u."counted" AND u."id" < ${id}
      AND (${jobUrl}::text IS NULL OR u."jobUrl" IS DISTINCT FROM ${jobUrl})
      AND CASE u."branchClass" WHEN 'pull_request' THEN u."prNumber" = ${pullRequest}::int
        ELSE ${lines}::text[] IS NULL OR u."line" = ANY(${lines}::text[]) END
    ORDER BY u."id" DESC LIMIT ${MOST_UPLOADS}`;
}

/** The lines of the target branch, which may have other tests than other branches; null: it is not known. */
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

/** By key of a test: the latest of `others` that has it. Null: the tests of one are not stored any more. */
async function missingFrom(
  prisma: PrismaService,
  upload: UploadOfJob,
  others: readonly EarlierUpload[],
): Promise<ReadonlyMap<bigint, EarlierUpload> | null> {
  const shards = upload.shard === '' ? [] : await otherShards(prisma, upload);
  const sets = await readTestSets(prisma, upload.repositoryId, [
    ...[upload, ...others].flatMap(({ testSet }) => testSet ?? []),
    ...shards,
  ]);
  const found = sets.get(hexOf(upload.testSet!));
  const lastSeen = new Map<bigint, EarlierUpload>();
  for (const other of others) {
    const expected = sets.get(hexOf(other.testSet!));
    if (found === undefined || expected === undefined) return null;
    for (const key of missingKeys(expected, found)) if (!lastSeen.has(key)) lastSeen.set(key, other);
  }
  for (const shard of shards) {
    const elsewhere = sets.get(hexOf(shard)) ?? Buffer.alloc(0);
    const gone = new Set(missingKeys(keysOf(lastSeen), elsewhere));
    for (const key of lastSeen.keys()) if (!gone.has(key)) lastSeen.delete(key);
  }
  return lastSeen;
}

/** Tests move from one share of a job to another when tests are added. */
async function otherShards(prisma: PrismaService, upload: UploadOfJob): Promise<readonly Uint8Array[]> {
  const { repositoryId, commit, job, variant, part, shard, prNumber, branchClass } = upload;
  const where = { repositoryId, commit, job, variant, part, prNumber, branchClass, shard: { notIn: ['', shard] } };
  const rows = await prisma.testUpload.findMany({ where, select: { testSet: true }, take: MOST_UPLOADS });
  return rows.flatMap(({ testSet }) => testSet ?? []);
}

/** By digest as PostgreSQL writes it; those that are stored no more are left out. */
export async function readTestSets(
  prisma: PrismaService,
  repositoryId: string,
  digests: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await prisma.$queryRaw<{ digest: Uint8Array; tests: Uint8Array }[]>`
    SELECT digest, tests FROM test_results.test_set
    WHERE repository_id = ${repositoryId}::uuid AND digest = ANY(${digests.map(hexOf)}::text[]::bytea[])`;
  return new Map(rows.map(({ digest, tests }) => [hexOf(digest), Buffer.from(tests)]));
}

/** In the notation of PostgreSQL. */
export function hexOf(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one !== null && other !== null && Buffer.compare(one, other) === 0;
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
  const rows = await prisma.$queryRaw<(Omit<MissingTest, 'commit' | 'jobUrl' | 'seenAt'> & { at: number })[]>`
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
