import type { GitObject } from './objects';

const MOST = 2_000;

/** A map that forgets what was put in first. */
export class BoundedMap<Value> {
  private readonly entries = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    const [oldest] = this.entries.keys();
    if (this.entries.size > MOST && oldest !== undefined) this.entries.delete(oldest);
  }
}

/** What was seen in one clone. Objects never change and never go, so that none needs a second process to be known. */
export class CloneMemory {
  readonly commits = new BoundedMap<GitObject>();
  /** By tree: the folder of its attributes, null when none concerns merges. */
  readonly attributes = new BoundedMap<string | null>();
  /** The tree whose attributes were looked at last; the next one mostly differs from it in a few files. */
  newestTree: string | null = null;
}
