import { addDay, dayOf, emptySummary } from './days';
import type { DayMode } from './draw-mode';
import { countSteps } from './tally';

/** Plays the requested days in portions and reports the results. */
let summary = emptySummary();
countSteps(() => summary.tally.steps);

process.on('message', (days: readonly (readonly [seed: number, mode: DayMode])[]) => {
  summary = emptySummary();
  for (const [seed, mode] of days) addDay(summary, seed, dayOf(seed, mode).run());
  process.send?.(summary);
});
