import type { QueuedHead } from '../../../src/engine/model';
import type { Dice } from '../oracle/random';

/**
 * A change in a tree: a pull request with number, head and generation, such as `7@b/1`, or a push of a person, such as
 * `1001@push/0`.
 */
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
  /** The number of pieces at the beginning of the tree that come from the target. */
  readonly base: number;
  readonly own: readonly Piece[];
  readonly commit: string;
  /** The needs that the description of each pull request named when the tree was built. */
  readonly saidNeeds: NeedsByNumber;
}

export type NeedsByNumber = ReadonlyMap<number, readonly number[]>;

export type WhyRed = 'bad' | 'misfit' | 'hidden need' | 'need';

/** The true properties of the pull requests of one day. Only tests show them to the queue. */
export class Truth {
  readonly count: number;
  /** Whether tests are flaky on this day. */
  readonly isFlaky: boolean;
  readonly hasOutages: boolean;
  /** Whether people cancel, push, pause and change their minds on this day. */
  readonly isBusy: boolean;
  /** Whether somebody switches between flow and sequential scheduling. */
  readonly isSwitching: boolean;
  /** Whether the host merges one pull request at a time. */
  readonly landsOneByOne: boolean;
  /** Whether CI does not report on some tests, or never finishes them. */
  readonly isSilent: boolean;
  private readonly bad = new Set<number>();
  private readonly misfits = new Set<string>();
  private readonly clashing = new Set<string>();
  /** Pairs of pull requests that make different trees if they merge in another order. */
  private readonly ordered = new Set<string>();
  private readonly hiddenNeeds = new Map<number, number>();
  /**
   * True needs that the description names from the beginning: the tests fail without them. Half of the named needs are
   * true.
   */
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

  /** A name for the tree of these pieces. Two lists that merge to the same tree have the same name. */
  treeOf(pieces: readonly Piece[]): string {
    const numbers = pieces.map(numberIn);
    const orders = numbers.flatMap((one, i) =>
      numbers.slice(i + 1).flatMap((other) => (this.ordered.has(pair(one, other)) ? [`${one}<${other}`] : [])),
    );
    return `${[...pieces].sort().join()}|${orders.sort().join()}`;
  }

  /** Notes that the pull request is opened, and that its description names this need. */
  opened(number: number, needed: number): void {
    if ((number + needed) % 2 === 1) this.needs.set(number, needed);
  }

  /** The needs without which the pull request's tests fail, whatever its description says. */
  neededBy(number: number): readonly number[] {
    return [this.hiddenNeeds.get(number), this.needs.get(number)].filter((needed) => needed !== undefined);
  }

  /** The reason why the tests of this tree fail; null if they pass. */
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

  /**
   * The first pull request that conflicts, and the pull request or target with which it conflicts. The first `base`
   * pieces are the target.
   */
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
