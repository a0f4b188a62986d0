import { common, union, without } from './test-set';

/** The tests of an upload, as bytes of a `TestSet`. */
export interface UploadedTests {
  readonly tests: Buffer;
  /** The tests that were only skipped; null: unknown, because an older version stored the upload. */
  readonly skipped: Buffer | null;
}

interface Skipping {
  readonly skipped: Buffer;
  /** Uploads that define the expected tests of the job. */
  readonly compared: readonly UploadedTests[];
  /** Earlier uploads of runs that exited with 0. */
  readonly passed: readonly UploadedTests[];
  /** Other shards of the same commit. */
  readonly shards: readonly UploadedTests[];
}

/**
 * The skipped tests that may have been cut off, without a mark in the report. These tests ran in the runs that define
 * the expected tests, were skipped in no run that exited with 0, and did not run in another shard.
 */
export function skippedWithoutReason({ skipped, compared, passed, shards }: Skipping): Buffer {
  if (skipped.length === 0) return skipped;
  // If the skipped tests of an upload are unknown, all its tests count as run, so that no cut-off test is overlooked.
  const ranBefore = union(compared.map(({ tests, skipped: own }) => (own === null ? tests : without(tests, own))));
  const onPurpose = union(passed.map(({ skipped: own }) => own ?? NONE));
  const elsewhere = union(shards.map(({ tests, skipped: own }) => (own === null ? NONE : without(tests, own))));
  return without(without(common(skipped, ranBefore), onPurpose), elsewhere);
}

const NONE = Buffer.alloc(0);
