import type { QueueSettings } from '../../../src/engine/model';
import type { Dice } from '../oracle/random';
import { REQUIRED } from './draw-settings';
import { type BranchName, type CiPlan, DAY_MINUTES, type DayPlan, type Deed, NOISE_FROM, NOISE_UNTIL } from './plan';

/**
 * Draws the troubles of a service that runs for months. The service stops, its queues are deleted, and pull requests
 * change queues.
 */
export function drawTroubles(
  dice: Dice,
  deeds: readonly Deed[],
  count: number,
  timeoutMinutes: number,
): readonly Deed[] {
  return [
    ...drawStops(dice, deeds, timeoutMinutes),
    ...drawTurns(dice, deeds),
    ...drawRedirections(dice, count),
    ...drawDeletions(dice),
    ...drawStrangers(dice, count),
    ...drawComments(dice, count),
  ];
}

/**
 * The service stops soon after a submission, so that tests are in progress. Often it is down for longer than a test's
 * timeout.
 */
function drawStops(dice: Dice, deeds: readonly Deed[], timeoutMinutes: number): readonly Deed[] {
  const stops = dice.happens(0.8) ? 1 + dice.below(3) : 0;
  const submissions = deeds.filter(({ type }) => type === 'submit').map(({ atMinute }) => atMinute);
  return Array.from({ length: stops }, (): readonly Deed[] => {
    const minutes = dice.happens(0.4)
      ? timeoutMinutes * (1 + 0.2 * dice.throw())
      : dice.pick([0.2, 2, 20, 90]) * (0.5 + dice.throw());
    const last = NOISE_UNTIL - minutes - 90;
    const [first = NOISE_FROM, ...others] = submissions.filter((at) => at >= NOISE_FROM && at <= last);
    const atMinute = Math.min(last, dice.pick([first, ...others]) + dice.throw() * 20);
    const stop: Deed = { type: 'stopService', minutes, atMinute };
    // An outage of the host begins before the service starts again, so the first poll after the start comes late.
    const outage: Deed = { type: 'hostOutage', minutes: 10 + dice.throw() * 70, atMinute: atMinute + minutes - 1 };
    return dice.happens(0.5) ? [stop, outage] : [stop];
  }).flat();
}

interface FlakyBatches {
  readonly settings: Partial<QueueSettings>;
  readonly redForNothing: number;
  readonly plan: Pick<DayPlan, 'mode' | 'treeOrder'>;
  readonly ci: Pick<CiPlan, 'shortestMinutes' | 'longestMinutes'>;
  readonly crowdMinutes: number;
}

/**
 * Settings for batches with a CI that errs often and reuses results of equal trees. Pull requests come one by one, and
 * tests are short.
 */
export function flakyBatches(dice: Dice): FlakyBatches {
  const settings = {
    batch: true,
    batchingMinSize: 2,
    batchingMaxWaitTimeMinutes: 20,
    optimizationMode: 'bisection_skip_redundant_tests',
    concurrency: 1,
    // All statuses are required, because CI errs about any one of them.
    requiredStatuses: REQUIRED,
  } as const;
  return {
    settings,
    redForNothing: 0.2 + dice.throw() * 0.15,
    plan: { mode: 'single', treeOrder: 'sorted' },
    ci: { shortestMinutes: 2, longestMinutes: 3 },
    crowdMinutes: NOISE_UNTIL - NOISE_FROM - 40,
  };
}

const BROKEN = ['start_test_run_config_parsing_failure', 'start_test_run_config_bad_required_statuses'] as const;

/**
 * Days on which the configuration file names the required statuses. Some pull requests change this file, and pushes
 * break and repair it.
 */
export function drawConfigDay(dice: Dice, count: number): readonly Deed[] | null {
  if (!dice.happens(0.3)) return null;
  const deeds: Deed[] = [];
  for (let number = 1; number <= count; number++) {
    if (!dice.happens(0.12)) continue;
    const file = dice.happens(0.4) ? dice.pick(BROKEN) : REQUIRED.slice(0, 1 + dice.below(REQUIRED.length));
    deeds.push({ type: 'changeConfig', number, file, atMinute: 0 });
  }
  for (let times = 1 + dice.below(4); times > 0; times--) {
    const atMinute = dice.throw() * (DAY_MINUTES - 200);
    deeds.push({ type: 'configFile', file: dice.pick(BROKEN), atMinute });
    // This push comes so late that a pull request that repairs the file may land before the push.
    const file = dice.happens(0.5) ? REQUIRED.slice(0, 1) : REQUIRED.slice(0, 2);
    deeds.push({ type: 'configFile', file, atMinute: atMinute + 5 + dice.throw() * 180 });
  }
  return deeds;
}

/** Some pull requests have another base branch for a while during their test. */
function drawTurns(dice: Dice, deeds: readonly Deed[]): readonly Deed[] {
  return deeds.flatMap((deed): readonly Deed[] => {
    const isInNoise = deed.atMinute >= NOISE_FROM && deed.atMinute <= NOISE_UNTIL;
    if (deed.type !== 'submit' || !isInNoise || !dice.happens(0.3)) return [];
    const { number } = deed;
    const atMinute = deed.atMinute + 1 + dice.throw() * 15;
    return [
      { type: 'aimElsewhere', number, atMinute },
      { type: 'aimBack', number, atMinute: atMinute + 10 + dice.throw() * 90 },
    ];
  });
}

/** Some pull requests move to the other queue, and a few move back. */
function drawRedirections(dice: Dice, count: number): readonly Deed[] {
  const deeds: Deed[] = [];
  const add = (number: number, queue: BranchName, atMinute: number): void =>
    void deeds.push({ type: 'redirect', number, queue, isSubmitted: dice.happens(0.8), atMinute });
  for (let number = 1; number <= count; number++) {
    if (!dice.happens(0.2)) continue;
    const atMinute = dice.throw() * (DAY_MINUTES - 120);
    add(number, 'release', atMinute);
    if (dice.happens(0.4)) add(number, 'main', atMinute + dice.throw() * 100);
  }
  return deeds;
}

/** Somebody without write access submits a draft, pushes once more, and marks the draft as ready. */
function drawStrangers(dice: Dice, count: number): readonly Deed[] {
  const numbers = Array.from({ length: count }, (_, i) => i + 1).filter(() => dice.happens(0.08));
  return numbers.flatMap((number): readonly Deed[] => {
    const atMinute = dice.throw() * (DAY_MINUTES - 120);
    const pushedAt = atMinute + 1 + dice.throw() * 60;
    return [
      { type: 'draft', number, atMinute },
      { type: 'submit', number, via: 'user', atMinute: atMinute + 1 },
      { type: 'push', number, upToDate: dice.happens(0.3), byStranger: true, atMinute: pushedAt },
      { type: 'undraft', number, atMinute: pushedAt + dice.throw() * 10 },
    ];
  });
}

/** After some comments, a person without write access pushes before the service has received the comment. */
function drawComments(dice: Dice, count: number): readonly Deed[] {
  const numbers = Array.from({ length: count }, (_, i) => i + 1).filter(() => dice.happens(0.15));
  return numbers.flatMap((number): readonly Deed[] => {
    const atMinute = NOISE_FROM + dice.throw() * (NOISE_UNTIL - NOISE_FROM);
    const comment: Deed = { type: 'comment', number, atMinute };
    const pushedAt = atMinute + dice.throw() * 20;
    const push: Deed = { type: 'push', number, upToDate: dice.happens(0.3), byStranger: true, atMinute: pushedAt };
    return dice.happens(0.6) ? [comment, push] : [comment];
  });
}

/** A queue can be deleted only if it is empty. */
function drawDeletions(dice: Dice): readonly Deed[] {
  return Array.from({ length: dice.below(6) }, (): readonly Deed[] => {
    const queue = dice.pick(['main', 'release', 'release'] as const);
    const atMinute = dice.throw() * (DAY_MINUTES - 60);
    return [
      { type: 'deleteQueue', queue, atMinute },
      { type: 'createQueue', queue, atMinute: atMinute + 1 + dice.throw() * 30 },
    ];
  }).flat();
}
