import { addDay, dayOf, emptySummary } from './days';
import { countSteps } from './tally';

/** Plays the days that it is told to, some at a time, and says what became of them. */
let summary = emptySummary();
countSteps(() => summary.tally.steps);

process.on('message', (seeds: readonly number[]) => {
  summary = emptySummary();
  for (const seed of seeds) addDay(summary, seed, dayOf(seed).run());
  process.send?.(summary);
});
