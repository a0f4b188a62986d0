import type { MergeMethod } from '../../src/engine/vocabulary';

/** `bug`: its index in the list; null: the program as it is. */
export interface Part {
  readonly bug: number | null;
  readonly method: MergeMethod;
  readonly from: number;
  readonly count: number;
  /** Stops at the first problem. */
  readonly stops: boolean;
}

export interface Answer {
  readonly played: number;
  readonly landed: number;
  readonly problems: readonly string[];
}
