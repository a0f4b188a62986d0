import type { MergeMethod } from '../../src/engine/vocabulary';

/** `bug` is the index of the bug in the list. With null, the program is played without a bug. */
export interface Part {
  readonly bug: number | null;
  readonly method: MergeMethod;
  readonly from: number;
  readonly count: number;
  /** Whether the part stops at its first problem. */
  readonly stops: boolean;
}

export interface Answer {
  readonly played: number;
  readonly landed: number;
  readonly problems: readonly string[];
}
