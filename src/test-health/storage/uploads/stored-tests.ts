export interface UploadOfTests {
  readonly repositoryId: string;
  readonly receivedAt: Date;
  /** As many as the repository may have. */
  readonly mostTests: number;
}

export interface StoredTests {
  /** By the id that the spool has: the id of the test that holds the results. */
  readonly storedAs: ReadonlyMap<string, string>;
  /** Those whose id may be another one the next time, and those that were locked. */
  readonly passing: ReadonlySet<string>;
  /** New tests that are stored under one name, because the repository has too many. */
  readonly setAside: number;
}
