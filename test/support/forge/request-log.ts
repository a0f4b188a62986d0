export interface LoggedRequest {
  /**
   * The code host's name for the operation; `git-http/…` for git, `unknown` for operations that the mock does not have.
   */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Every request that the mock answered, so that tests can count requests. */
export class RequestLog {
  readonly all: LoggedRequest[] = [];

  add(request: LoggedRequest): void {
    this.all.push(request);
  }

  count(operation: string | RegExp): number {
    return this.all.filter(({ operation: name }) =>
      typeof operation === 'string' ? name === operation : operation.test(name),
    ).length;
  }

  /** The number of requests of each operation, the highest number first. */
  byOperation(): Record<string, number> {
    const counts = new Map<string, number>();
    for (const { operation } of this.all) counts.set(operation, (counts.get(operation) ?? 0) + 1);
    return Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b)));
  }

  clear(): void {
    this.all.length = 0;
  }
}
