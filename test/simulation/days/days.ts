import { Dice } from '../oracle/random';
import { DAY_MODES, type DayMode } from './draw-mode';
import { drawPlan } from './draw-plan';
import { type DayResult, SimulatedDay } from './simulated-day';
import { kindOf } from './shrink';
import { addTally, type Counts, emptyTally, type Tally } from './tally';

/** Summary of many days. */
export interface Summary {
  days: number;
  events: number;
  /** The fewest events on any day without problems. */
  fewestEvents: number;
  fewestSubmissions: number;
  submissions: number;
  runs: number;
  landed: number;
  /** The most test runs on a day for n undisturbed entries, divided by n squared. */
  dearestCalm: number;
  readonly tally: Tally;
  /** The days that went wrong, each with the kind of its first problem. */
  readonly failed: { readonly seed: number; readonly kind: string }[];
}

export function emptySummary(): Summary {
  const figures = { days: 0, events: 0, submissions: 0, runs: 0, landed: 0, dearestCalm: 0 };
  return { ...figures, fewestEvents: Infinity, fewestSubmissions: Infinity, tally: emptyTally(), failed: [] };
}

/** Without `mode`, the mode is drawn, and is never flow scheduling. */
export function dayOf(seed: number, mode?: DayMode): SimulatedDay {
  return new SimulatedDay(drawPlan(seed, new Dice(seed), mode));
}

/** The modes take turns from one day to the next. */
export function modeOf(seed: number): DayMode {
  return DAY_MODES[seed % DAY_MODES.length]!;
}

export function addDay(sum: Summary, seed: number, day: DayResult): void {
  const { open, runs } = day.calm;
  sum.days++;
  sum.events += day.events;
  sum.submissions += day.submissions;
  sum.runs += day.runs;
  sum.landed += day.landed;
  addTally(sum.tally, day.tally);
  const kind = kindOf(day);
  if (kind !== null) {
    sum.failed.push({ seed, kind });
    return;
  }
  sum.fewestEvents = Math.min(sum.fewestEvents, day.events);
  sum.fewestSubmissions = Math.min(sum.fewestSubmissions, day.submissions);
  if (open > 2) sum.dearestCalm = Math.max(sum.dearestCalm, runs / open ** 2);
}

/** Adds a summary from another process. The summary comes as JSON, which has no infinity. */
export function addSummary(sum: Summary, more: Summary): void {
  sum.days += more.days;
  sum.events += more.events;
  sum.submissions += more.submissions;
  sum.runs += more.runs;
  sum.landed += more.landed;
  sum.fewestEvents = Math.min(sum.fewestEvents, more.fewestEvents ?? Infinity);
  sum.fewestSubmissions = Math.min(sum.fewestSubmissions, more.fewestSubmissions ?? Infinity);
  sum.dearestCalm = Math.max(sum.dearestCalm, more.dearestCalm);
  sum.failed.push(...more.failed);
  addTally(sum.tally, more.tally);
}

export function countsInOrder(counts: Counts): readonly string[] {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${times}`);
}
