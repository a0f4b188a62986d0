import type { QueueSettings } from '../../../src/engine/model';
import type { Dice } from '../oracle/random';

/** Statuses that CI reports. The first status detects every fault, so every drawn list of required statuses has it. */
export const REQUIRED = ['build', 'lint', 'e2e'] as const;

export function drawSettings(dice: Dice): Partial<QueueSettings> {
  return {
    concurrency: 1 + dice.below(8),
    bisectionConcurrency: dice.pick([null, 1, 2, 3, 4]),
    testingTimeoutMinutes: dice.pick([30, 60, 300]),
    pendingFailureDepth: dice.happens(0.5) ? 0 : 1 + dice.below(4),
    canOptimisticallyMerge: dice.happens(0.5),
    batch: dice.happens(0.6),
    batchingMaxWaitTimeMinutes: dice.pick([1, 5, 20]),
    batchingMinSize: 2 + dice.below(7),
    requiredStatuses: drawStatuses(dice),
    directMergeMode: dice.pick(['off', 'always']),
    optimizationMode: dice.pick(['off', 'bisection_skip_redundant_tests', 'bisection_skip_redundant_tests']),
    mergeMethod: dice.pick(['merge_commit', 'squash', 'rebase']),
    notReadyTimeoutHours: dice.pick([1, 4, 24]),
  };
}

/** Draws settings that are changed during the day. The timeout stays longer than a test at CI takes. */
export function drawChange(dice: Dice, ciMinutes: number): Partial<QueueSettings> {
  const { testingTimeoutMinutes = 0, ...others } = drawSettings(dice);
  const all: Partial<QueueSettings> =
    testingTimeoutMinutes >= 2 * ciMinutes ? { ...others, testingTimeoutMinutes } : others;
  const keys = Object.keys(all) as (keyof QueueSettings)[];
  const some = keys.filter(() => dice.happens(0.2));
  const chosen = some.length > 0 ? some : (['concurrency'] as const);
  return Object.fromEntries(chosen.map((key) => [key, all[key]]));
}

function drawStatuses(dice: Dice): readonly string[] {
  if (dice.happens(0.15)) return [];
  return REQUIRED.slice(0, 1 + dice.below(REQUIRED.length));
}
