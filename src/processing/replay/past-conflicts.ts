import type { NotStarted } from '../../engine/events';
import { labelOf, type PastHead, type QueueHistory } from './history';

type Conflict = Extract<NotStarted, { type: 'conflict' }>;

/** Pairs of pull requests that could not be merged onto each other. */
export class PastConflicts {
  private readonly pairs = new Map<string, Set<string>>();

  constructor({ runs, landed }: QueueHistory) {
    for (const { start, holds, landedSeq } of runs) {
      if (start?.type !== 'refused' || start.because.type !== 'conflict') continue;
      const { number, with: other } = start.because;
      const one = holds.find((head) => head.number === number);
      // The history does not say with which change of the target the head conflicts, so the newest change is taken,
      // which is the most likely.
      const ahead =
        other === 'target'
          ? landed.findLast(({ seq }) => seq <= landedSeq)
          : holds.find((head) => head.number === other);
      if (one && ahead) this.add(labelOf(one), labelOf(ahead));
    }
  }

  /**
   * The conflict of the first head that cannot be merged onto the heads before it or onto the target. Null if all heads
   * can be merged.
   */
  find(holds: readonly PastHead[], isLanded: (label: string) => boolean): Conflict | null {
    if (this.pairs.size === 0) return null;
    for (const [i, head] of holds.entries()) {
      const others = this.pairs.get(labelOf(head));
      if (!others) continue;
      const conflict = { type: 'conflict', number: head.number, files: [] } as const;
      if ([...others].some(isLanded)) return { ...conflict, with: 'target' };
      const ahead = holds.slice(0, i).find((other) => others.has(labelOf(other)));
      if (ahead) return { ...conflict, with: ahead.number };
    }
    return null;
  }

  private add(one: string, other: string): void {
    this.pairs.set(one, (this.pairs.get(one) ?? new Set()).add(other));
    this.pairs.set(other, (this.pairs.get(other) ?? new Set()).add(one));
  }
}
