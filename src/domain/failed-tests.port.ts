import type { FailedTestsOfRun } from '../engine/pull-request-view-facts';

/** A testing branch as it was pushed. */
export interface PushedTestingBranch {
  readonly branch: string;
  readonly tree: string;
}

/**
 * The test results that CI uploaded for test runs. Test health implements this class, because modules that show test
 * runs may not import test health.
 */
export abstract class FailedTestsReader {
  /** By testing branch. No entry: CI uploaded nothing for that run. */
  abstract of(
    repositoryId: string,
    runs: readonly PushedTestingBranch[],
  ): Promise<ReadonlyMap<string, FailedTestsOfRun>>;
}
