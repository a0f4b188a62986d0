import type { Change } from '../../engine/changes';
import type { QueueSnapshot } from '../../engine/model';
import { addCounts, type DurationCounts, withDuration } from './duration-counts';

/** The figures of a queue for one day, or for several days together. */
export interface DayFigures {
  readonly merged: number;
  readonly failed: number;
  readonly cancelled: number;
  /** The number of candidates that were pushed to be tested. */
  readonly runs: number;
  /** For each reason, how many pull requests left the queue unmerged for that reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** How long merged pull requests took from their submission to their merge. */
  readonly waited: DurationCounts;
}

export const NO_FIGURES: DayFigures = { merged: 0, failed: 0, cancelled: 0, runs: 0, reasons: {}, waited: {} };

export function addFigures(one: DayFigures, other: DayFigures): DayFigures {
  return {
    merged: one.merged + other.merged,
    failed: one.failed + other.failed,
    cancelled: one.cancelled + other.cancelled,
    runs: one.runs + other.runs,
    reasons: addCounts(one.reasons, other.reasons),
    waited: addCounts(one.waited, other.waited),
  };
}

/** The figures that a decision adds to its day; null if it adds none. */
export function figuresOfDay(changes: readonly Change[], { entries }: QueueSnapshot): DayFigures | null {
  let figures = NO_FIGURES;
  for (const change of changes) {
    if (change.type === 'runPushed') figures = { ...figures, runs: figures.runs + 1 };
    if (change.type !== 'entryMoved') continue;
    const { to, because, entryId, at } = change;
    if (to === 'merged') {
      const entry = entries.find(({ id }) => id === entryId);
      const waited = entry ? withDuration(figures.waited, at - entry.submittedAt) : figures.waited;
      figures = { ...figures, merged: figures.merged + 1, waited };
    }
    if (to === 'failed' || to === 'cancelled') {
      const reasons = because === null ? figures.reasons : addCounts(figures.reasons, { [because]: 1 });
      figures = { ...figures, [to]: figures[to] + 1, reasons };
    }
  }
  return figures === NO_FIGURES ? null : figures;
}
