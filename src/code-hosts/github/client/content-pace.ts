const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The shares of GitHub's limits that comments may use. GitHub allows 80 requests a minute and 500 an hour that create
 * content. The rest is for pull requests of testing branches and for answers to commands.
 */
const WINDOWS = [
  { lengthMs: MINUTE_MS, most: 60 },
  { lengthMs: HOUR_MS, most: 400 },
] as const;

/** The times at which this process created content, by identity. */
export class ContentPace {
  private readonly made = new Map<string, readonly number[]>();

  note(identity: string, now: Date): void {
    const recent = (this.made.get(identity) ?? []).filter((at) => at > now.getTime() - HOUR_MS);
    this.made.set(identity, [...recent, now.getTime()]);
  }

  /** When the next comment may be written; null if it may be written now. */
  nextCommentAt(identity: string, now: Date): Date | null {
    const made = this.made.get(identity) ?? [];
    const moments = WINDOWS.map(({ lengthMs, most }) => (made.at(-most) ?? -Infinity) + lengthMs);
    const latest = Math.max(...moments);
    return latest > now.getTime() ? new Date(latest) : null;
  }
}

/** Whether a request counts against the limit for new content. Requests for statuses and merges do not. */
export function makesContent(route: string): boolean {
  return /^POST .*\/(comments|reactions|pulls)$/.test(route);
}
