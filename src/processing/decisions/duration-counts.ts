/**
 * A histogram of durations. Each step is a tenth longer than the one before, so a year has 182 steps, and the counts of
 * two days can be added. A quantile that is read from the histogram is at most 5 % off.
 */
export type DurationCounts = Readonly<Record<string, number>>;

const GROWTH = 1.1;
const SECOND_MS = 1_000;

export function withDuration(counts: DurationCounts, ms: number): DurationCounts {
  const step = ms < SECOND_MS ? 0 : 1 + Math.floor(Math.log(ms / SECOND_MS) / Math.log(GROWTH));
  return { ...counts, [step]: (counts[step] ?? 0) + 1 };
}

export function addCounts(one: DurationCounts, other: DurationCounts): DurationCounts {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/**
 * The duration in milliseconds that this share (0…1) of all durations does not exceed. Null if there are no durations.
 */
export function durationAt(counts: DurationCounts, share: number): number | null {
  const steps = Object.entries(counts)
    .map(([step, count]) => [Number(step), count] as const)
    .sort(([a], [b]) => a - b);
  const total = steps.reduce((sum, [, count]) => sum + count, 0);
  let reached = 0;
  for (const [step, count] of steps) {
    reached += count;
    if (reached >= Math.ceil(share * total)) return middleOf(step);
  }
  return null;
}

/** The number of durations up to `ms` milliseconds, read from the middles of the steps. */
export function countUpTo(counts: DurationCounts, ms: number): number {
  return Object.entries(counts).reduce((sum, [step, count]) => (middleOf(Number(step)) <= ms ? sum + count : sum), 0);
}

/** The sum of all durations in milliseconds, computed from the middles of their steps. */
export function sumOfDurations(counts: DurationCounts): number {
  return Object.entries(counts).reduce((sum, [step, count]) => sum + count * middleOf(Number(step)), 0);
}

function middleOf(step: number): number {
  return Math.round(step === 0 ? SECOND_MS / 2 : SECOND_MS * GROWTH ** (step - 0.5));
}
