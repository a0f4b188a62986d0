export interface UploadOfTests {
  readonly repositoryId: string;
  readonly receivedAt: Date;
  /** As many as the repository may have. */
  readonly mostTests: number;
}

export interface StoredTests {
  /** Whether the results of any id of the spool belong to a test with another id. */
  readonly areRenamed: boolean;
  /** By the id that the spool remembers: the id of the test that holds the results, where that is another one. */
  readonly storedAs: ReadonlyMap<string, string>;
  /** Those whose id may be another one the next time, and those that were locked. */
  readonly passing: ReadonlySet<string>;
  /** New tests that are stored under one name, because the repository has too many. */
  readonly setAside: number;
}
