/**
 * The number of smallest ids that are kept. Counts up to this number are exact; larger counts are at most about a tenth
 * off.
 */
const KEPT = 128;
/** The bits of a database integer. */
const DIGITS = 7;
const ALL = 16 ** DIGITS;

/**
 * Counts distinct tests over any number of uploads without storing all ids: ids are hashes, so the smallest ids allow
 * an estimate. A sketch holds the smallest ids of an upload, as their first 28 bits, in order.
 */
export class DistinctTests {
  private readonly smallest = new Set<number>();
  private largestKept = ALL;

  /** `id`: a UUID of version 5. */
  add(id: string): void {
    this.addNumber(Number.parseInt(id.slice(0, DIGITS), 16));
  }

  addSketch(sketch: readonly number[]): void {
    for (const number of sketch) this.addNumber(number);
  }

  get sketch(): number[] {
    return [...this.smallest].sort((a, b) => a - b);
  }

  get count(): number {
    if (this.smallest.size < KEPT) return this.smallest.size;
    return Math.round((KEPT - 1) / (this.largestKept / ALL));
  }

  private addNumber(number: number): void {
    if (number >= this.largestKept || this.smallest.has(number)) return;
    this.smallest.add(number);
    if (this.smallest.size > KEPT) this.smallest.delete(this.largestKept);
    if (this.smallest.size === KEPT) this.largestKept = Math.max(...this.smallest);
  }
}
