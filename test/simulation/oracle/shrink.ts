import type { Day } from './days';
import type { World } from './world';

/** Finds a smaller day that still fails, with fewer deeds and a simpler world. */
export function shrink(day: Day, fails: (day: Day) => boolean): Day {
  let smallest = day;
  for (let found = true; found;) {
    found = false;
    for (const simpler of simplerDays(smallest)) {
      if (!fails(simpler)) continue;
      smallest = simpler;
      found = true;
      break;
    }
  }
  return smallest;
}

function* simplerDays(day: Day): Generator<Day> {
  for (let i = day.deeds.length - 1; i >= 0; i--) yield { ...day, deeds: day.deeds.toSpliced(i, 1) };
  const facts: readonly (keyof World)[] = ['bad', 'badTogether', 'mendedBy', 'conflicts'];
  for (const fact of facts) {
    const present = day.world[fact];
    if (typeof present === 'number') continue;
    for (let i = 0; i < present.length; i++) yield { ...day, world: { ...day.world, [fact]: present.toSpliced(i, 1) } };
  }
  const settings: Partial<Day['settings']>[] = [
    { batch: false },
    { canOptimisticallyMerge: false },
    { pendingFailureDepth: 0 },
    { bisectionConcurrency: 1 },
    { batchingMaxWaitTimeMinutes: 0 },
    { batchingMinSize: 2 },
  ];
  for (const change of settings) {
    const simpler = { ...day.settings, ...change };
    if (JSON.stringify(simpler) !== JSON.stringify(day.settings)) yield { ...day, settings: simpler };
  }
}
