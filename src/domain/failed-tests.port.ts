import type { FailedTestsOfRun } from '../engine/pull-request-view-facts';

/** A testing branch as it was pushed. */
export interface PushedTestingBranch {
  readonly branch: string;
  readonly tree: string;
}

/** What CI uploaded of the tests of test runs. Test health implements it: whoever shows a test run may not import that. */
export abstract class FailedTestsReader {
  /** By testing branch; no entry: CI uploaded nothing of that run. */
  abstract of(
    repositoryId: string,
    runs: readonly PushedTestingBranch[],
  ): Promise<ReadonlyMap<string, FailedTestsOfRun>>;
}
