const CHUNK = 256;

/**
 * Tens of thousands of items, sorted by a total order. Adding or removing an item moves a few hundred items, and
 * reading the first items reads only these.
 */
export class SortedIndex<T> implements Iterable<T> {
  private readonly chunks: T[][] = [];
  private count = 0;

  constructor(private readonly compare: (a: T, b: T) => number) {}

  get size(): number {
    return this.count;
  }

  add(item: T): void {
    this.count++;
    const chunk = this.chunks[this.chunkFor(item)] ?? this.chunks.at(-1);
    if (!chunk) {
      this.chunks.push([item]);
      return;
    }
    chunk.splice(this.positionIn(chunk, item), 0, item);
    if (chunk.length > 2 * CHUNK) this.chunks.splice(this.chunks.indexOf(chunk) + 1, 0, chunk.splice(CHUNK));
  }

  /** Removes an item. @throws Error if the item is missing, because then the index does not match its source */
  remove(item: T): void {
    const at = this.chunkFor(item);
    const chunk = this.chunks[at];
    const position = chunk ? this.positionIn(chunk, item) : -1;
    if (!chunk || position >= chunk.length || this.compare(chunk[position]!, item) !== 0)
      throw new Error('the item to remove is not in the index');
    chunk.splice(position, 1);
    if (chunk.length === 0) this.chunks.splice(at, 1);
    this.count--;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const chunk of this.chunks) yield* chunk;
  }

  /** The index of the first chunk whose last item does not come before this item. */
  private chunkFor(item: T): number {
    return lowest(this.chunks.length, (i) => this.compare(this.chunks[i]!.at(-1)!, item) >= 0);
  }

  private positionIn(chunk: readonly T[], item: T): number {
    return lowest(chunk.length, (i) => this.compare(chunk[i]!, item) >= 0);
  }
}

/**
 * The lowest number below `limit` for which `isSo` is true; `limit` if there is none. `isSo` must be true for all
 * higher numbers, too.
 */
function lowest(limit: number, isSo: (i: number) => boolean): number {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
