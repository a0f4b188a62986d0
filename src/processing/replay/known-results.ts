import type { Change } from '../../engine/changes';
import type { Instant } from '../../engine/vocabulary';

/** The result of a queue's own test runs for a tree and a set of required statuses. */
export interface KnownResult {
  readonly run: number;
  readonly at: Instant;
  /** The required statuses that failed; empty: the tree passed. */
  readonly red: readonly string[];
}

/**
 * The results that other runs of the same tree can reuse: results of runs that were tested themselves and did not time
 * out.
 */
export class KnownResults {
  private readonly keys = new Map<number, string>();
  private readonly results = new Map<string, KnownResult[]>();

  note(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === 'runPushed') this.keys.set(change.run, keyOf(change.tree, change.requiredStatuses));
      if (change.type === 'runPassed') this.add({ run: change.run, at: change.at, red: [] });
      if (change.type === 'runFailed' && change.failure.type === 'status')
        this.add({ run: change.run, at: change.at, red: change.failure.names });
    }
  }

  /** The newest result for the tree and required statuses, if it is not older than `since`. */
  of(tree: string, requiredStatuses: readonly string[], since: Instant): KnownResult | null {
    const known = this.results.get(keyOf(tree, requiredStatuses)) ?? [];
    return known.findLast((result) => result.at >= since) ?? null;
  }

  private add(result: KnownResult): void {
    const key = this.keys.get(result.run);
    if (key === undefined) return;
    const others = (this.results.get(key) ?? []).filter((other) => other.run !== result.run);
    this.results.set(
      key,
      [...others, result].sort((a, b) => a.at - b.at),
    );
  }
}

function keyOf(tree: string, requiredStatuses: readonly string[]): string {
  return [tree, ...new Set(requiredStatuses)].sort().join(' ');
}
