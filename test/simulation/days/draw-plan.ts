import type { QueueSettings, ServiceLimits } from '../../../src/engine/model';
import { DEFAULT_SETTINGS } from '../../support/engine-snapshots';
import { Dice } from '../oracle/random';
import { type DayMode, inMode } from './draw-mode';
import { drawNeeds } from './draw-needs';
import { drawDeeds } from './draw-deeds';
import { drawFreezes, drawLimit, drawOwner, drawSilentChecks, withDryRuns } from './draw-owner';
import { drawSettings, REQUIRED } from './draw-settings';
import { drawConfigDay, drawTroubles, flakyBatches } from './draw-troubles';
import type { CiPlan, CodePlan, DayPlan, Deed, NoisePlan } from './plan';

/** The fewest pull requests on a day. */
const FEWEST = 44;
const MOST = 58;

/** Without `mode`, the queues are in single or parallel mode, and never use flow scheduling. */
export function drawPlan(seed: number, dice: Dice, mode?: DayMode): DayPlan {
  const plan = drawnPlan(seed, dice);
  return mode === undefined ? plan : inMode(plan, mode, new Dice(seed ^ 0x4cf5ad43));
}

function drawnPlan(seed: number, dice: Dice): DayPlan {
  const troubles = new Dice(seed ^ 0x2545f491);
  const flaky = troubles.happens(0.4) ? flakyBatches(troubles) : null;
  const health = new Dice(seed ^ 0x27d4eb2f);
  const uploads = health.pick([0, 1, 1, 3]);
  const drawn = { ...DEFAULT_SETTINGS, ...drawSettings(dice), ...flaky?.settings };
  const settings: QueueSettings = {
    ...drawn,
    retestFlakyFailures: !health.happens(0.1),
    ...drawLimit(new Dice(seed ^ 0x38495ab5)),
  };
  const count = FEWEST + dice.below(MOST - FEWEST);
  const pushes = Array.from({ length: dice.below(7) }, (_, i) => `push-${i + 1}`);
  const ci = drawCi(dice, settings.testingTimeoutMinutes);
  const plan: Omit<DayPlan, 'deeds'> = {
    seed,
    mode: dice.pick(['single', 'parallel']),
    settings,
    limits: drawLimits(dice),
    landsWholeRuns: !dice.happens(0.4),
    freezes: drawFreezes(new Dice(seed ^ 0x7feb352d)),
    treeOrder: dice.happens(0.3) ? 'merged' : 'sorted',
    statusesInFile: dice.happens(0.5) ? REQUIRED.slice(0, 2) : [],
    protectedStatuses: dice.happens(0.8) ? REQUIRED.slice(0, 1) : [],
    recordsPushes: dice.happens(0.5),
    code: drawCode(dice, count, pushes),
    ci: { ...ci, ...flaky?.ci, uploads },
    noise: { ...drawNoise(dice, flaky?.redForNothing ?? null), ...drawLosses(new Dice(seed ^ 0x1b873593)) },
    ...flaky?.plan,
  };
  const code = flaky ? { ...plan.code, bad: plan.code.bad.slice(0, 3) } : plan.code;
  const crowdMinutes = flaky?.crowdMinutes ?? dice.pick([5, 15, 40]);
  const deeds = drawDeeds(dice, {
    ...{ count, pushes, crowdMinutes, ciMinutes: ci.longestMinutes },
    crowds: flaky ? 'in the noise' : 'all day',
  });
  const config = flaky ? null : drawConfigDay(new Dice(seed ^ 0x85ebca6b), count);
  const befalls = flaky ? [] : drawTroubles(troubles, deeds, count, settings.testingTimeoutMinutes);
  const owner = drawOwner(new Dice(seed ^ 0x165667b1), deeds, count);
  const all = inOrder([
    ...drawNeeds(new Dice(seed ^ 0x2c1b3c6d), count),
    ...(config ?? []),
    ...withDryRuns(new Dice(seed ^ 0x9e3779b1), deeds),
    ...befalls,
    ...owner,
    ...drawSilentChecks(new Dice(seed ^ 0x68e31da4), deeds, ci.longestMinutes),
  ]);
  return { ...plan, ...(config && { settings: { ...settings, requiredStatuses: [] } }), code, deeds: all };
}

function inOrder(deeds: readonly Deed[]): readonly Deed[] {
  return deeds.toSorted((a, b) => a.atMinute - b.atMinute);
}

function drawLimits(dice: Dice): ServiceLimits {
  return {
    runsInFlight: dice.happens(0.1) ? 2 + dice.below(6) : 200,
    batchSize: dice.happens(0.1) ? 3 : 100,
    treeReuseHours: dice.pick([24, 24, 1]),
  };
}

function drawCode(dice: Dice, count: number, pushes: readonly string[]): CodePlan {
  const share = dice.pick([0, 0.05, 0.05, 0.15, 0.3, 0.6]);
  const number = (): number => 1 + dice.below(count);
  /**
   * The numbers of two pull requests that are submitted one shortly after the other, so that both are in the queue
   * together.
   */
  const couple = (): readonly [number, number] => {
    const one = number();
    const other = ((one - 1 + 1 + dice.below(4)) % count) + 1;
    return [one, other];
  };
  const couples = (most: number): readonly (readonly [number, number])[] =>
    Array.from({ length: dice.below(most + 1) }, couple);
  const mends = couples(1);
  const bad: string[] = [];
  for (let n = 1; n <= count; n++) {
    if (dice.happens(share)) bad.push(`${n}@${n}-0`);
    for (let push = 1; push <= 4; push++) if (dice.happens(share / 2)) bad.push(`${n}@${n}-${push}`);
  }
  const conflictsWithPushes = pushes
    .filter(() => dice.happens(0.3))
    .map((name): readonly [number, string] => [number(), name]);
  return { bad, pairs: couples(3), mends, conflicts: couples(4), same: couples(2), conflictsWithPushes };
}

/** CI takes much less time than the timeout, so a result is late only after a mishap. */
function drawCi(dice: Dice, timeoutMinutes: number): Omit<CiPlan, 'uploads'> {
  const longestMinutes = Math.min(timeoutMinutes / 3, dice.pick([4, 10, 25, 60]));
  const shortestMinutes = longestMinutes * dice.pick([0.2, 0.7, 1]);
  return { shortestMinutes, longestMinutes, reportedTwice: REQUIRED.filter(() => dice.happens(0.2)) };
}

const QUIET: Omit<NoisePlan, keyof LossPlan> = {
  redForNothing: 0,
  greenForNothing: 0,
  redAfterGreen: 0,
  greenAfterRed: 0,
  neverReported: 0,
  reportedLate: 0,
  reportedTwice: 0,
  eventLost: 0,
  eventLate: 0,
  crashBefore: 0,
  crashAfter: 0,
  outcomeTwice: 0,
  decisionLost: 0,
  baseGone: 0,
  givenUp: 0,
  entryRefused: 0,
  treeDiffers: 0,
  targetGone: 0,
  refusedMidway: 0,
  leftOut: 0,
  pushedBeneath: 0,
  otherProcess: 0,
  rateLimited: 0,
  turnedAside: 0,
};

type LossPlan = Pick<NoisePlan, 'cancelled' | 'silent' | 'uploadLate' | 'uploadLost' | 'redLikeFlake'>;

/** On some days CI gives up so many runs that a few entries lose three runs. */
function drawLosses(dice: Dice): LossPlan {
  const upTo = (most: number): number => (dice.happens(0.5) ? dice.throw() * most : 0);
  const losses = { cancelled: upTo(dice.happens(0.2) ? 0.7 : 0.15), silent: upTo(dice.happens(0.2) ? 0.5 : 0.1) };
  return { ...losses, uploadLate: upTo(0.3), uploadLost: upTo(0.2), redLikeFlake: upTo(0.3) };
}

/** On days on which CI errs often, the other mishaps are rare. */
function drawNoise(dice: Dice, redForNothing: number | null): Omit<NoisePlan, keyof LossPlan> {
  if (redForNothing !== null) return { ...QUIET, redForNothing };
  if (dice.happens(0.15)) return QUIET;
  const upTo = (most: number): number => (dice.happens(0.6) ? dice.throw() * most : 0);
  return {
    redForNothing: upTo(0.25),
    greenForNothing: upTo(0.04),
    redAfterGreen: upTo(0.2),
    greenAfterRed: upTo(0.6),
    neverReported: upTo(0.08),
    reportedLate: upTo(0.2),
    reportedTwice: upTo(0.5),
    eventLost: upTo(0.4),
    eventLate: upTo(0.4),
    crashBefore: upTo(0.3),
    crashAfter: upTo(0.3),
    outcomeTwice: upTo(0.3),
    decisionLost: upTo(0.1),
    baseGone: upTo(0.1),
    givenUp: upTo(0.04),
    entryRefused: upTo(0.04),
    treeDiffers: upTo(0.1),
    targetGone: upTo(0.05),
    refusedMidway: 0.7,
    leftOut: 0.6,
    pushedBeneath: 0.1,
    otherProcess: upTo(0.6),
    rateLimited: upTo(0.15),
    turnedAside: 0.15,
  };
}
