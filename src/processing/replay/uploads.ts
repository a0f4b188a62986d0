import type { Change } from '../../engine/changes';
import type { UploadFact } from '../../engine/model';

const LAST_RUNS = 5;

/** The uploads of test results by commit, and how many uploads the last runs with a result had. */
export class Uploads {
  private readonly byCommit = new Map<string, UploadFact[]>();
  private readonly commits = new Map<number, string>();
  /** The newest runs with a result, by number. */
  private last: readonly number[] = [];

  /** Adds an upload. The same upload counts only once. */
  add(upload: UploadFact): void {
    const others = this.on(upload.commit).filter((other) => other.upload !== upload.upload);
    this.byCommit.set(upload.commit, [...others, upload]);
  }

  on(commit: string): readonly UploadFact[] {
    return this.byCommit.get(commit) ?? [];
  }

  note(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === 'runPushed') this.commits.set(change.run, change.commit);
      if (change.type !== 'runPassed' && change.type !== 'runFailed') continue;
      const runs = new Set([...this.last, ...(this.commits.has(change.run) ? [change.run] : [])]);
      this.last = [...runs].sort((a, b) => b - a).slice(0, LAST_RUNS);
    }
  }

  /** The largest number of uploads among the last runs. */
  get usual(): number {
    return Math.max(0, ...this.last.map((run) => this.on(this.commits.get(run) ?? '').length));
  }
}
