import type { PrismaService } from '../../../../platform/database/prisma.service';
import { sharedKeys } from '../../rules/test-set';
import type { UploadOfJob } from './job-tests';
import { hexOf, readTestSets } from './stored-test-sets';

/** The number of other uploads of an attempt that are searched. */
const MOST_UPLOADS = 100;

/** Tests that other uploads of the same attempt of the job also have. */
export interface SharedTests {
  /** The number of tests that an upload of the same part and share also has. */
  readonly samePart: number;
  /** Keys, in the form of `TestSet`, of the tests that an upload of another part also has. */
  readonly keysOfOtherParts: readonly bigint[];
}

const NONE: SharedTests = { samePart: 0, keysOfOtherParts: [] };

/**
 * Jobs of a matrix with known conditions need no different names. Shares of a job are not parts: a test may move from
 * one share to another.
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
