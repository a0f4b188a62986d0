import { common, union, without } from './test-set';

/** The tests of an upload, as bytes of a `TestSet`. */
export interface UploadedTests {
  readonly tests: Buffer;
  /** Those that were only skipped; null: an older version stored the upload, and nobody knows. */
  readonly skipped: Buffer | null;
}

interface Skipping {
  readonly skipped: Buffer;
  /** Uploads that say which tests the job has. */
  readonly compared: readonly UploadedTests[];
  /** Earlier uploads of runs that ended with 0. */
  readonly passed: readonly UploadedTests[];
  /** Other shards of the same commit. */
  readonly shards: readonly UploadedTests[];
}

/**
 * The skipped tests that may have been cut off, where no mark tells: they ran in the runs that say which tests the job has, were
 * skipped in no run that ended with 0, and did not run in another shard.
 */
export function skippedWithoutReason({ skipped, compared, passed, shards }: Skipping): Buffer {
  if (skipped.length === 0) return skipped;
  // What is not known counts as run here: rather a doubt too many.
  const ranBefore = union(compared.map(({ tests, skipped: own }) => (own === null ? tests : without(tests, own))));
  const onPurpose = union(passed.map(({ skipped: own }) => own ?? NONE));
  const elsewhere = union(shards.map(({ tests, skipped: own }) => (own === null ? NONE : without(tests, own))));
  return without(without(common(skipped, ranBefore), onPurpose), elsewhere);
}

const NONE = Buffer.alloc(0);
