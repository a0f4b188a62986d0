/** Whether the entries from `from` up to but not including `to` fail together, tested without the others. */
export type IsRedPart = (from: number, to: number) => boolean;

export interface HalvingCost {
  readonly runs: number;
  readonly rounds: number;
  readonly blamed: readonly number[];
}

/**
 * The usual bisection of most merge queues: both halves of a failed batch are tested separately, in parallel, down to
 * single entries. Halving blames no entry if two conflicting entries are in different halves.
 */
export function halve(from: number, to: number, isRed: IsRedPart): HalvingCost {
  if (to - from === 1) return { runs: 0, rounds: 0, blamed: [from] };
  const middle = (from + to) >> 1;
  const halves = [
    [from, middle],
    [middle, to],
  ] as const;
  const searched = halves.filter(([a, b]) => isRed(a, b)).map(([a, b]) => halve(a, b, isRed));
  return {
    runs: 2 + searched.reduce((sum, half) => sum + half.runs, 0),
    rounds: 1 + Math.max(0, ...searched.map((half) => half.rounds)),
    blamed: searched.flatMap((half) => half.blamed),
  };
}
