import type { FailedTestsOfRun } from '../engine/pull-request-view-facts';

/** A testing branch and the commit with which it was pushed. */
export interface PushedTestingBranch {
  readonly branch: string;
  readonly tree: string;
}

/**
 * The test results that CI uploaded for test runs. Test health implements this class, because modules that show test
 * runs may not import test health.
 */
export abstract class FailedTestsReader {
  /** The failed tests by testing branch. A branch is missing if CI uploaded nothing for its run. */
  abstract of(
    repositoryId: string,
    runs: readonly PushedTestingBranch[],
  ): Promise<ReadonlyMap<string, FailedTestsOfRun>>;
}
