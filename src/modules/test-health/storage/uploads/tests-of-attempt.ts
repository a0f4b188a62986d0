import type { PrismaService } from '../../../../platform/database/prisma.service';
import { sharedKeys } from '../../rules/test-set';
import type { UploadOfJob } from './job-tests';
import { hexOf, readTestSets } from './stored-test-sets';

/** Other uploads of an attempt that are looked at. */
const MOST_UPLOADS = 100;

/** Tests that other uploads of the same attempt of the job have, too. */
export interface SharedTests {
  /** How many are in an upload of the same part and share. */
  readonly samePart: number;
  /** Keys, as `TestSet` has them, of those that are in an upload of another part. */
  readonly keysOfOtherParts: readonly bigint[];
}

const NONE: SharedTests = { samePart: 0, keysOfOtherParts: [] };

/**
 * Jobs of a matrix whose conditions are known to differ need no names of their own. Shares of a job are no parts: a test may move from
 * one to another.
 */
export async function testsOfSameAttempt(
  prisma: PrismaService,
  upload: UploadOfJob & { readonly attempt: string; readonly conditions: string },
): Promise<SharedTests> {
  const { id, repositoryId, commit, job, conditions, attempt, variant, part, shard, testSet } = upload;
  if (attempt === '' || testSet === null) return NONE;
  const others = await prisma.testUpload.findMany({
    where: { repositoryId, commit, job, conditions, attempt, variant, id: { not: id }, testSet: { not: null } },
    select: { testSet: true, part: true, shard: true },
    take: MOST_UPLOADS,
  });
  const compared = others.filter((other) => other.part !== part || other.shard === shard);
  if (compared.length === 0) return NONE;
  const sets = await readTestSets(prisma, repositoryId, [testSet, ...compared.map((other) => other.testSet!)]);
  const own = sets.get(hexOf(testSet)) ?? Buffer.alloc(0);
  const shared = (isSamePart: boolean): readonly bigint[] => {
    const those = compared.filter((other) => (other.part === part) === isSamePart);
    return [...new Set(those.flatMap((other) => sharedKeys(own, sets.get(hexOf(other.testSet!)) ?? Buffer.alloc(0))))];
  };
  return { samePart: shared(true).length, keysOfOtherParts: shared(false) };
}
