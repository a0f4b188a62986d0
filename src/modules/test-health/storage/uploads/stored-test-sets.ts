import { createHash } from 'node:crypto';
import type { PrismaService } from '../../../../platform/database/prisma.service';
import type { UploadRow } from './upload-row';
import type { UploadedTestSets } from './uploaded-test-sets';

const DIGEST_BYTES = 16;

/** Digests of the test sets of an upload; null: the sets will not be compared. */
export interface StoredTestSets {
  readonly testSet: Buffer | null;
  readonly skippedSet: Buffer | null;
}

/** Stores two sets: the tests of the upload, and the tests that were only skipped. */
export async function storeTestSets(
  prisma: PrismaService,
  upload: UploadRow,
  sets: UploadedTestSets,
): Promise<StoredTestSets> {
  const [tests, skipped] = upload.job === '' ? [null, null] : [sets.all.toBytes(), sets.skipped()];
  return { testSet: await stored(prisma, upload, tests), skippedSet: await stored(prisma, upload, skipped) };
}

async function stored(
  prisma: PrismaService,
  { repositoryId, receivedAt }: UploadRow,
  tests: Buffer | null,
): Promise<Buffer | null> {
  if (tests === null) return null;
  const digest = createHash('sha256').update(tests).digest().subarray(0, DIGEST_BYTES);
  // The sets are stored outside the upload's transaction, because otherwise uploads of the same tests would wait for
  // each other.
  await prisma.$executeRaw`/* stored-test-sets stored */
    INSERT INTO test_results.test_set (repository_id, digest, tests, stored_at)
    VALUES (${repositoryId}::uuid, ${digest}, ${tests}, ${receivedAt}) ON CONFLICT (repository_id, digest) DO NOTHING`;
  return digest;
}

/** The stored sets by the `hexOf` of their digests. */
export async function readTestSets(
  prisma: PrismaService,
  repositoryId: string,
  digests: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await prisma.$queryRaw<{ digest: Uint8Array; tests: Uint8Array }[]>`/* stored-test-sets readTestSets */
    SELECT digest, tests FROM test_results.test_set
    WHERE repository_id = ${repositoryId}::uuid AND digest = ANY(${digests.map(hexOf)}::text[]::bytea[])`;
  return new Map(rows.map(({ digest, tests }) => [hexOf(digest), Buffer.from(tests)]));
}

/** The bytes in PostgreSQL's notation. */
export function hexOf(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}

export function isSameSet(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one !== null && other !== null && Buffer.compare(one, other) === 0;
}
