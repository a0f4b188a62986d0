import { PRIORITIES, type QueueMode, type RequestableQueueState, URGENT } from '../../../src/engine/vocabulary';
import { share } from './lanes';
import type { Minutes, OracleSettings, Targets } from './model';
import type { SettingsDeed } from './oracle';
import type { Dice } from './random';
import type { HotfixState, World } from './world';

/** The deeds of a day. `pick` chooses among the objects that exist at that moment. */
export type Deed =
  | { readonly type: 'submit'; readonly number: number; readonly priority: number; readonly noBatch: boolean }
  | { readonly type: 'resubmit' | 'cancel' | 'restart' | 'mergeByHand'; readonly number: number }
  | { readonly type: 'push'; readonly number: number; readonly hostEvent: 'heard' | 'missed' }
  | { readonly type: 'prioritise'; readonly number: number; readonly priority: number }
  | { readonly type: 'targets'; readonly number: number; readonly targets: Targets }
  | { readonly type: 'report'; readonly pick: number }
  | { readonly type: 'land'; readonly answer: 'accepted' | 'refused'; readonly pick: number }
  | { readonly type: 'hotfix'; readonly state: HotfixState }
  | ({ readonly type: 'set' } & SettingsDeed)
  | { readonly type: 'pass'; readonly minutes: Minutes };

export interface Day {
  readonly mode: QueueMode;
  readonly settings: OracleSettings;
  readonly world: World;
  /** The impacted targets of each pull request. The targets of the pull request with number n are at index n - 1. */
  readonly targets: readonly Targets[];
  readonly deeds: readonly Deed[];
  readonly seed: number;
}

/** Properties that the days must have. A property that is absent is drawn. */
export interface DayKind {
  readonly mode?: QueueMode;
  readonly settings?: Partial<OracleSettings>;
  /** Types of deeds that never happen. */
  readonly without?: readonly Deed['type'][];
  readonly flakes?: 'none' | 'some';
  /** Whether a pull request may repair another pull request. */
  readonly mending?: 'none' | 'some';
  readonly modeSwitches?: 'none' | 'some';
  readonly mostPullRequests?: number;
}

export function drawDay(dice: Dice, kind: DayKind = {}): Day {
  const count = 2 + dice.below((kind.mostPullRequests ?? 6) - 1);
  const mode = kind.mode ?? (dice.happens(0.6) ? 'single' : 'parallel');
  const settings = { ...drawSettings(dice), ...kind.settings };
  const targets = Array.from({ length: count }, () => drawTargets(dice));
  const deeds = drawDeeds(dice, count, kind);
  const hasLanes = mode === 'parallel' || deeds.some((deed) => deed.type === 'set' && deed.mode !== undefined);
  const world = drawWorld(dice, targets, kind, hasLanes ? 'only if sharing' : 'any');
  return { mode, settings, world, targets, deeds, seed: dice.below(2 ** 32) };
}

function drawSettings(dice: Dice): OracleSettings {
  return {
    concurrency: dice.pick([1, 1, 2, 3, 4, 8]),
    bisectionConcurrency: dice.pick([null, 1, 2, 3]),
    pendingFailureDepth: dice.pick([0, 0, 1, 2, 4]),
    canOptimisticallyMerge: dice.happens(0.4),
    batch: dice.happens(0.5),
    batchingMinSize: dice.pick([2, 3, 4, 8]),
    batchingMaxWaitTimeMinutes: dice.pick([0, 5]),
    optimizationMode: dice.pick(['off', 'bisection_skip_redundant_tests']),
  };
}

function drawTargets(dice: Dice): Targets {
  const kind = dice.throw();
  if (kind < 0.1) return 'ALL';
  return kind < 0.2 ? [] : ['x', 'y', 'z'].filter(() => dice.happens(0.5));
}

/**
 * Draws which pull requests fail. In parallel mode only pull requests with a common target can fail together or repair
 * each other, as impacted targets promise.
 */
function drawWorld(dice: Dice, targets: readonly Targets[], kind: DayKind, pairs: 'any' | 'only if sharing'): World {
  const numbers = targets.map((_, i) => i + 1);
  const isPossible = (a: number, b: number): boolean => pairs === 'any' || share(targets[a - 1]!, targets[b - 1]!);
  const bad = numbers.filter(() => dice.happens(0.2));
  const couples = numbers.flatMap((b) => numbers.slice(0, b - 1).map((a) => [a, b] as const));
  const badTogether = couples.filter(([a, b]) => dice.happens(0.12) && isPossible(a, b));
  const later = numbers.slice(1).filter(() => dice.happens(0.1));
  const conflicts = later.map((b) => [1 + dice.below(b - 1), b] as const);
  const mended = kind.mending === 'some' ? bad.filter(() => dice.happens(0.5)) : [];
  const mendedBy = mended
    .map((one) => [one, 1 + dice.below(numbers.length)] as const)
    .filter(([a, b]) => a !== b && isPossible(a, b));
  return { bad, badTogether, mendedBy, conflicts, flakeRate: kind.flakes === 'some' ? dice.throw() * 0.4 : 0 };
}

function drawDeeds(dice: Dice, count: number, kind: DayKind): readonly Deed[] {
  const noise = dice.happens(0.3) ? 'quiet' : 'noisy';
  let submitted = 0;
  const submit = (priority: number, noBatch: boolean): Deed => ({
    type: 'submit',
    number: ++submitted,
    priority,
    noBatch,
  });
  const length = 6 + dice.below(40);
  const deeds = Array.from({ length }, (): Deed => {
    const what = dice.throw();
    if (what < 0.3 && submitted < count) return submit(drawPriority(dice), dice.happens(0.15));
    if (what < 0.62) return { type: 'report', pick: dice.below(8) };
    if (what < 0.76) return { type: 'land', answer: dice.happens(0.1) ? 'refused' : 'accepted', pick: dice.below(4) };
    return noise === 'quiet' ? { type: 'report', pick: 0 } : drawNoise(dice, 1 + dice.below(count), kind);
  }).filter((deed) => !kind.without?.includes(deed.type));
  while (submitted < count) deeds.splice(dice.below(deeds.length), 0, submit(PRIORITIES.medium, false));
  return deeds;
}

function drawPriority(dice: Dice): number {
  const { medium, high, low } = PRIORITIES;
  return dice.pick([medium, medium, medium, high, low, dice.happens(0.3) ? URGENT : medium]);
}

function drawNoise(dice: Dice, number: number, kind: DayKind): Deed {
  const what = dice.throw();
  if (what < 0.14) return { type: 'cancel', number };
  if (what < 0.32) return { type: 'push', number, hostEvent: dice.happens(0.7) ? 'heard' : 'missed' };
  if (what < 0.44) return { type: 'restart', number };
  if (what < 0.52) return { type: 'hotfix', state: dice.happens(0.05) ? 'broken' : 'good' };
  if (what < 0.55) return { type: 'mergeByHand', number };
  if (what < 0.63) return { type: 'prioritise', number, priority: dice.pick([URGENT, URGENT, 10, 100, 200]) };
  if (what < 0.69) return { type: 'resubmit', number };
  if (what < 0.94) return { type: 'set', ...drawChange(dice, kind) };
  if (what < 0.98) return { type: 'targets', number, targets: dice.pick([['x'], ['y'], ['x', 'y'], 'ALL', []]) };
  return { type: 'pass', minutes: 10 };
}

function drawChange(dice: Dice, kind: DayKind): SettingsDeed {
  const what = dice.throw();
  if (what < 0.35) return { state: dice.pick<RequestableQueueState>(['running', 'paused', 'draining', 'running']) };
  if (what < 0.5) return { settings: { concurrency: dice.pick([1, 2, 4]) } };
  if (what < 0.65) return without(kind, { pendingFailureDepth: dice.pick([0, 1, 3]) });
  if (what < 0.75) return without(kind, { canOptimisticallyMerge: dice.happens(0.5) });
  if (what < 0.9) return without(kind, { batch: dice.happens(0.5), batchingMinSize: dice.pick([2, 4]) });
  if (kind.modeSwitches === 'none') return {};
  return { mode: dice.pick<QueueMode>(['single', 'parallel']) };
}

/** The new settings. A setting that the kind of day fixes keeps its value. */
function without(kind: DayKind, settings: Partial<OracleSettings>): SettingsDeed {
  return { settings: { ...settings, ...kind.settings } };
}
