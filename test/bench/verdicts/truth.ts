/** The truth about a generated test. Steps count the commits of main. */
export interface Truth {
  readonly kind: Kind;
  /** Share of the test's runs that fail by chance, 0 to 1. */
  readonly flakiness: number;
  /**
   * Spans of steps in which the test certainly fails, on main and on commits based on it. A span has its first step and
   * the first step after it.
   */
  readonly broken: readonly Span[];
  /** The test runs only at steps that are multiples of this number. */
  readonly everySteps: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export const KINDS = [
  'healthy',
  'slow, runs at night',
  'flaky 1 to 3 %',
  'flaky 3 to 10 %',
  'flaky 10 to 30 %',
  'broken, fixed later',
  'flaky, then broken',
  'fails on one variant',
  'fails on one branch',
  'fails on pull requests only',
] as const;
export type Kind = (typeof KINDS)[number];

const FIRST_BREAK = 45;
const SLOW_EVERY = 12;

export interface Mix {
  readonly steps: number;
  readonly next: () => number;
}

/** The truths about several hundred tests of a repository. */
export function makeTruths(mix: Mix): Truth[] {
  const { next } = mix;
  return [
    ...times(130, () => of('healthy')),
    ...times(16, () => ({ ...of('slow, runs at night'), everySteps: SLOW_EVERY })),
    ...times(26, () => ({ ...of('flaky 1 to 3 %'), flakiness: 0.01 + 0.02 * next() })),
    ...times(26, () => ({ ...of('flaky 3 to 10 %'), flakiness: 0.03 + 0.07 * next() })),
    ...times(26, () => ({ ...of('flaky 10 to 30 %'), flakiness: 0.1 + 0.2 * next() })),
    ...clusters(48, mix),
    ...times(18, () => {
      const from = FIRST_BREAK + Math.floor((mix.steps - FIRST_BREAK) * 0.8 * next());
      const span = { from, to: from + 9 + Math.floor(20 * next()) };
      return { ...of('flaky, then broken'), flakiness: 0.01 + 0.29 * next(), broken: [span] };
    }),
    ...times(10, () => ({ ...of('fails on one variant'), broken: [{ from: FIRST_BREAK, to: Infinity }] })),
    ...times(10, () => of('healthy')), // the other variants
    ...times(10, () => of('fails on one branch')),
    ...times(12, () => of('fails on pull requests only')),
  ];
}

function of(kind: Kind): Truth {
  return { kind, flakiness: 0, broken: [], everySteps: 1 };
}

/** Each change breaks a group of one to six tests at once. One group in seven breaks again later. */
function clusters(count: number, { steps, next }: Mix): Truth[] {
  const truths: Truth[] = [];
  while (truths.length < count) {
    const first = breakage(FIRST_BREAK + Math.floor((steps - FIRST_BREAK) * 0.75 * next()), next);
    const again = next() < 1 / 7 ? [breakage(first.to + 10 + Math.floor(60 * next()), next)] : [];
    const size = Math.min(1 + Math.floor(6 * next()), count - truths.length);
    truths.push(...times(size, () => ({ ...of('broken, fixed later'), broken: [first, ...again] })));
  }
  return truths;
}

/** One break in ten is fixed by the next commit, and one in five is never fixed. */
function breakage(from: number, next: () => number): Span {
  const kind = next();
  if (kind < 0.1) return { from, to: from + 1 };
  if (kind < 0.25) return { from, to: from + 2 };
  if (kind > 0.8) return { from, to: Infinity };
  return { from, to: from + 3 + Math.floor(20 * next() * next()) };
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

export function isBroken({ broken }: Truth, step: number): boolean {
  return broken.some(({ from, to }) => step >= from && step < to);
}

export function isFlaky({ flakiness }: Truth): boolean {
  return flakiness > 0;
}
