export interface UploadOfTests {
  readonly repositoryId: string;
  readonly receivedAt: Date;
  /** The limit of the repository. */
  readonly mostTests: number;
}

export interface StoredTests {
  /** Whether the results of any id of the spool belong to a test with another id. */
  readonly areRenamed: boolean;
  /** By the id in the spool: the id of the test that has the results, if the two ids differ. */
  readonly storedAs: ReadonlyMap<string, string>;
  /** Tests that must not be cached: tests whose id may differ the next time, and locked tests. */
  readonly passing: ReadonlySet<string>;
  /** The number of new tests that are stored under one name, because the repository has too many tests. */
  readonly setAside: number;
}
