import { PRIORITIES, type StartFailure } from '../../../src/engine/vocabulary';
import type { Dice } from '../oracle/random';
import { drawChange, REQUIRED } from './draw-settings';
import { DAY_MINUTES, type Deed, NOISE_FROM, NOISE_UNTIL } from './plan';

interface Scene {
  readonly count: number;
  readonly pushes: readonly string[];
  readonly ciMinutes: number;
  /** The number of minutes within which a crowd of pull requests arrives. */
  readonly crowdMinutes: number;
  readonly crowds: 'all day' | 'in the noise';
}

/** A deed with `type` and its other fields, but without its time. */
type Undated = Deed extends infer D ? (D extends Deed ? Omit<D, 'atMinute'> : never) : never;

const TARGETS = ['api', 'web', 'db', 'docs', 'cli'] as const;

/** Draws the deeds of a day, in which pull requests come in crowds, and are disturbed while they are in the queue. */
export function drawDeeds(dice: Dice, scene: Scene): readonly Deed[] {
  const deeds: Deed[] = [];
  const add = (atMinute: number, deed: Undated): void =>
    void deeds.push({ ...deed, atMinute: Math.min(Math.max(atMinute, 0), DAY_MINUTES - 1) });
  const crowds = Array.from({ length: 3 + dice.below(6) }, () => dice.below(DAY_MINUTES - 60));
  if (scene.crowds === 'in the noise') crowds.fill(NOISE_FROM);
  // On some days much work is left when people stop.
  else if (dice.happens(0.4)) crowds[0] = DAY_MINUTES - 50;
  for (let number = 1; number <= scene.count; number++) {
    const at = Math.min(DAY_MINUTES - 1, dice.pick([crowds[0]!, ...crowds]) + dice.throw() * scene.crowdMinutes);
    drawLife(dice, number, at, scene, add);
  }
  drawQueue(dice, scene, add);
  return deeds.sort((a, b) => a.atMinute - b.atMinute);
}

type Add = (atMinute: number, deed: Undated) => void;

/** Draws the events of one pull request, which is submitted at least once, and often again. */
function drawLife(dice: Dice, number: number, at: number, scene: Scene, add: Add): void {
  const later = (most = 60): number => at + dice.throw() * most;
  drawTargets(dice, number, at, add);
  const tries = 1 + Number(dice.happens(0.5)) + Number(dice.happens(0.25));
  for (let i = 0; i < tries; i++) {
    const when = i === 0 ? at : at + dice.throw() * 240;
    if (dice.happens(0.3)) add(when - 1, { type: 'push', number, upToDate: dice.happens(0.5) });
    add(when, { type: 'submit', number, ...drawWishes(dice) });
  }
  if (dice.happens(0.15)) add(later(), { type: 'cancel', number, via: dice.pick(['api', 'user']) });
  if (dice.happens(0.2)) add(later(), { type: 'restart', number, via: dice.pick(['api', 'user']) });
  if (dice.happens(0.15)) add(later(), { type: 'push', number, upToDate: dice.happens(0.3) });
  drawMishaps(dice, number, later, scene, add);
}

function drawWishes(dice: Dice): Omit<Extract<Undated, { type: 'submit' }>, 'type' | 'number'> {
  const { urgent, high, low } = PRIORITIES;
  return {
    via: dice.pick(['api', 'user']),
    ...(dice.happens(0.35) ? { priority: dice.pick([urgent, high, low, 150, null]) } : {}),
    ...(dice.happens(0.12) ? { noBatch: dice.happens(0.8) } : {}),
  };
}

function drawTargets(dice: Dice, number: number, at: number, add: Add): void {
  const names = (): readonly string[] | 'ALL' => {
    if (dice.happens(0.06)) return 'ALL';
    if (dice.happens(0.06)) return [];
    return TARGETS.filter((_, i) => dice.happens(i === number % TARGETS.length ? 0.8 : 0.15));
  };
  if (dice.happens(0.95)) add(Math.max(0, at - 2), { type: 'targets', number, names: names() });
  if (dice.happens(0.2)) add(at + dice.throw() * 60, { type: 'targets', number, names: names() });
}

function drawMishaps(dice: Dice, number: number, later: (most?: number) => number, scene: Scene, add: Add): void {
  const pairs = [
    ['close', 'reopen'],
    ['draft', 'undraft'],
    ['aimElsewhere', 'aimBack'],
    ['refuse', 'allow'],
    ['forbid', 'allow'],
    ['withdraw', 'approve'],
    ['expectCheck', 'approve'],
    ['delay', 'allow'],
  ] as const;
  for (const [type, undo] of pairs) {
    if (!dice.happens(0.05)) continue;
    const when = later();
    add(when, { type, number });
    if (dice.happens(0.8)) add(when + dice.throw() * 90, { type: undo, number });
  }
  if (dice.happens(0.03)) add(later(), { type: 'mergeByHand', number });
  if (dice.happens(0.02)) add(later(), { type: 'mergeElsewhere', number });
  if (dice.happens(0.02)) add(later(), { type: 'vanish', number });
  if (!dice.happens(0.1)) return;
  const when = later(scene.ciMinutes);
  add(when, { type: 'mergeability', number, value: dice.pick(['unspecified', 'in_progress', 'not_mergeable']) });
  add(when + dice.throw() * 40, { type: 'mergeability', number, value: 'mergeable' });
}

/** Draws the deeds that are about the queue, its target and its host. */
function drawQueue(dice: Dice, { pushes, ciMinutes }: Scene, add: Add): void {
  const any = (): number => dice.throw() * DAY_MINUTES;
  for (const name of pushes) {
    const when = any();
    const effect = dice.happens(0.2) ? 'harmful' : 'harmless';
    add(when, { type: 'pushToTarget', name, effect });
    if (effect === 'harmful')
      add(when + 10 + dice.throw() * 50, { type: 'pushToTarget', name: `${name}-repair`, effect: 'repair' });
  }
  add(NOISE_UNTIL, { type: 'pushToTarget', name: 'repair-of-noise', effect: 'repair' });
  if (dice.happens(0.5))
    for (let i = dice.below(6); i > 0; i--) add(any(), { type: 'settings', settings: drawChange(dice, ciMinutes) });
  if (dice.happens(0.3)) for (let i = 1 + dice.below(3); i > 0; i--) drawMode(dice, any(), add);
  if (dice.happens(0.4)) for (let i = 1 + dice.below(4); i > 0; i--) drawPause(dice, any(), add);
  if (dice.happens(0.2)) {
    const when = any();
    const broken = dice.pick<StartFailure>([
      'start_test_run_config_parsing_failure',
      'start_test_run_config_bad_required_statuses',
    ]);
    add(when, { type: 'configFile', file: broken });
    add(when + 10 + dice.throw() * 40, { type: 'configFile', file: dice.happens(0.5) ? REQUIRED.slice(0, 1) : [] });
  }
  if (dice.happens(0.4)) {
    const minutes = 5 + dice.throw() * 90;
    const from = NOISE_FROM + dice.throw() * (NOISE_UNTIL - NOISE_FROM - minutes);
    add(from, { type: 'hostOutage', minutes });
  }
}

/** Sometimes a person takes the change of mode back while the queue is still switching. */
function drawMode(dice: Dice, when: number, add: Add): void {
  add(when, { type: 'mode', mode: dice.pick(['single', 'parallel']) });
  if (dice.happens(0.4)) add(when + dice.throw() * 5, { type: 'mode', mode: dice.pick(['single', 'parallel']) });
}

function drawPause(dice: Dice, when: number, add: Add): void {
  add(when, { type: 'state', state: dice.pick(['paused', 'draining']) });
  add(when + 5 + dice.throw() * 60, { type: 'state', state: 'running' });
}
