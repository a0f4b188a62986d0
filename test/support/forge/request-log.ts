export interface LoggedRequest {
  /** As the forge names it; `git-http/…` for git, `unknown` for what the double does not have. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Every request that was answered, so that they can be counted. */
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

  /** How often each operation was asked for, most often first. */
  byOperation(): Record<string, number> {
    const counts = new Map<string, number>();
    for (const { operation } of this.all) counts.set(operation, (counts.get(operation) ?? 0) + 1);
    return Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b)));
  }

  clear(): void {
    this.all.length = 0;
  }
}
