import type { Instant } from '../../engine/vocabulary';

interface Item {
  readonly at: Instant;
  readonly rank: number;
  readonly order: number;
  readonly act: () => void;
}

/**
 * Future actions in virtual time, the earliest first. Actions at the same instant are sorted by rank, then in the order
 * of insertion.
 */
export class Agenda {
  private readonly heap: Item[] = [];
  private count = 0;

  add(at: Instant, act: () => void, rank = 0): void {
    const item = { at, rank, order: this.count++, act };
    let i = this.heap.push(item) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isEarlier(item, this.heap[parent]!)) break;
      this.heap[i] = this.heap[parent]!;
      i = parent;
    }
    this.heap[i] = item;
  }

  firstAt(): Instant | null {
    return this.heap[0]?.at ?? null;
  }

  get first(): { readonly at: Instant; readonly rank: number } | null {
    return this.heap[0] ?? null;
  }

  takeFirst(): (() => void) | null {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (!first || !last) return null;
    if (this.heap.length > 0) this.sink(last);
    return first.act;
  }

  private sink(item: Item): void {
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      const right = this.heap[child + 1];
      if (right && isEarlier(right, this.heap[child]!)) child++;
      if (child >= this.heap.length || !isEarlier(this.heap[child]!, item)) break;
      this.heap[i] = this.heap[child]!;
      i = child;
    }
    this.heap[i] = item;
  }
}

function isEarlier(a: Item, b: Item): boolean {
  return a.at < b.at || (a.at === b.at && (a.rank < b.rank || (a.rank === b.rank && a.order < b.order)));
}
