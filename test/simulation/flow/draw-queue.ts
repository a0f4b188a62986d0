import type { Freeze, QueueSettings } from '../../../src/engine/model';
import { type Instant, MINUTE, type OptimizationMode, type Scheduling } from '../../../src/engine/vocabulary';
import { DEFAULT_SETTINGS } from '../../support/engine-snapshots';
import type { Dice } from '../oracle/random';
import type { Truth } from './truth';

/** The timeout of test runs, which is longer than a whole day of an undisturbed queue takes. */
export const TEST_MINUTES = 20;

export function drawFlowSettings(dice: Dice, truth: Truth): QueueSettings {
  return {
    ...DEFAULT_SETTINGS,
    ...drawSlots(dice, truth),
    scheduling: truth.isSwitching ? dice.pick<Scheduling>(['in_order', 'flow']) : 'flow',
    canOptimisticallyMerge: true,
    testingTimeoutMinutes: TEST_MINUTES,
    batchingMaxWaitTimeMinutes: dice.pick([0, 0, 5]),
    optimizationMode: dice.pick<OptimizationMode>(['off', 'bisection_skip_redundant_tests']),
    pendingFailureDepth: dice.pick([0, 0, 0, 2]),
    maxMergesPerHour: drawLimit(dice),
  };
}

export function drawSlots(dice: Dice, { isSwitching }: Truth): Partial<QueueSettings> {
  return {
    concurrency: 1 + dice.below(6),
    bisectionConcurrency: dice.pick(isSwitching ? [1, 1, 2] : [0, 0, 1]),
    batch: dice.happens(0.8),
    batchingMinSize: dice.pick([2, 4, 8]),
  };
}

export function drawLimit(dice: Dice): number | null {
  return dice.happens(0.25) ? dice.pick([1, 1, 2, 4]) : null;
}

/** A freeze that is in force, or begins soon. */
export function drawFreezes(dice: Dice, now: Instant): readonly Freeze[] {
  const from = now + dice.below(3) * MINUTE;
  const exceptPriorityAtMost = dice.pick([null, 0, 10]);
  return [{ from, until: from + (1 + dice.below(40)) * MINUTE, exceptPriorityAtMost }];
}
