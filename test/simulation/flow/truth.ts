import type { QueuedHead } from '../../../src/engine/model';
import type { Dice } from '../oracle/random';

/** A pull request in a tree, with number, head and generation: `7@b/1`. Or a push of a person: `1001@push/0`. */
export type Piece = string;

export function numberIn(piece: Piece): number {
  return Number.parseInt(piece, 10);
}

export function pieceOf({ number, head, generation = 0 }: Pick<QueuedHead, 'number' | 'head' | 'generation'>): Piece {
  return `${number}@${head}/${generation}`;
}

/** A test run as CI knows it. */
export interface TestOfDay {
  readonly run: number;
  readonly pieces: readonly Piece[];
  /** The number of pieces that come from the target. */
  readonly base: number;
  readonly own: readonly Piece[];
  readonly commit: string;
  /** The needs named for each of them when the tree was built. */
  readonly saidNeeds: NeedsByNumber;
}

export type NeedsByNumber = ReadonlyMap<number, readonly number[]>;

export type WhyRed = 'bad' | 'misfit' | 'hidden need' | 'need';

/** True properties of the pull requests of one day. The queue learns them only from tests. */
export class Truth {
  readonly count: number;
  /** On such a day tests are flaky. */
  readonly isFlaky: boolean;
  readonly hasOutages: boolean;
  /** On such a day people cancel, push, pause and change their minds. */
  readonly isBusy: boolean;
  /** Somebody switches between flow and sequential scheduling. */
  readonly isSwitching: boolean;
  /** The host merges one pull request at a time. */
  readonly landsOneByOne: boolean;
  /** CI does not report on some tests, or never finishes. */
  readonly isSilent: boolean;
  private readonly bad = new Set<number>();
  private readonly misfits = new Set<string>();
  private readonly clashing = new Set<string>();
  /** Pairs whose tree depends on the order of merging. */
  private readonly ordered = new Set<string>();
  private readonly hiddenNeeds = new Map<number, number>();
  /** Half of the needs named at the opening are true: the tests fail without them. */
  private readonly needs = new Map<number, number>();

  constructor(dice: Dice) {
    this.count = 3 + dice.below(14);
    this.isFlaky = dice.happens(0.3);
    this.hasOutages = dice.happens(0.25);
    this.isBusy = dice.happens(0.7);
    this.isSwitching = dice.happens(0.2);
    this.landsOneByOne = dice.happens(0.3);
    this.isSilent = dice.happens(0.15);
    for (let one = 1; one <= this.count; one++) {
      if (dice.happens(0.18)) this.bad.add(one);
      for (let other = 1; other < one; other++) {
        if (dice.happens(0.05)) this.misfits.add(pair(one, other));
        if (dice.happens(0.04)) this.clashing.add(pair(one, other));
        if (dice.happens(0.08)) this.ordered.add(pair(one, other));
      }
      if (one > 1 && dice.happens(0.08)) this.hiddenNeeds.set(one, 1 + dice.below(one - 1));
    }
  }

  /** Equal for two lists that merge to the same tree. */
  treeOf(pieces: readonly Piece[]): string {
    const numbers = pieces.map(numberIn);
    const orders = numbers.flatMap((one, i) =>
      numbers.slice(i + 1).flatMap((other) => (this.ordered.has(pair(one, other)) ? [`${one}<${other}`] : [])),
    );
    return `${[...pieces].sort().join()}|${orders.sort().join()}`;
  }

  /** Its description names this need when it is opened. */
  opened(number: number, needed: number): void {
    if ((number + needed) % 2 === 1) this.needs.set(number, needed);
  }

  /** The need without which its tests fail, whatever its description says. */
  neededBy(number: number): readonly number[] {
    return [this.hiddenNeeds.get(number), this.needs.get(number)].filter((needed) => needed !== undefined);
  }

  /** Why the tests of this tree fail; null: they pass. */
  whyRed(pieces: readonly Piece[], said: NeedsByNumber): WhyRed | null {
    const there = new Set(pieces.map(numberIn));
    for (const one of there) {
      if (this.bad.has(one)) return 'bad';
      for (const other of there) if (other < one && this.misfits.has(pair(one, other))) return 'misfit';
      for (const needed of this.neededBy(one))
        if (!there.has(needed)) return said.get(one)?.includes(needed) ? 'need' : 'hidden need';
    }
    return null;
  }

  /** The first conflicting pull request, and its conflict. The first `base` pieces are the target. */
  conflictIn(pieces: readonly Piece[], base: number): { number: number; with: 'target' | number } | null {
    for (const [i, piece] of pieces.entries()) {
      if (i < base) continue;
      const at = pieces.slice(0, i).findIndex((other) => this.clashing.has(pair(numberIn(piece), numberIn(other))));
      if (at >= 0) return { number: numberIn(piece), with: at < base ? 'target' : numberIn(pieces[at]!) };
    }
    return null;
  }
}

function pair(one: number, other: number): string {
  return one < other ? `${one}-${other}` : `${other}-${one}`;
}
