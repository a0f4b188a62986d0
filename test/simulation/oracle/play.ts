import { assertNever } from '../../../src/engine/vocabulary';
import { beyondState, landedUntested, misplaced, stateOf, unjust } from './checks';
import type { Day, Deed } from './days';
import { queuedHeadsOf, type CiRun, type Targets } from './model';
import { Oracle } from './oracle';
import { Dice } from './random';
import { isBrokenFromOutside, isRed } from './world';

/**
 * A day on the oracle: every deed of the day, and then calm. `problems` holds the first problem, with which the day
 * ends.
 */
export class OracleDay {
  readonly oracle: Oracle;
  private readonly dice: Dice;
  /** For each pull request, the targets that were given last. */
  private readonly targets: Map<number, Targets>;
  private isCalm = false;

  constructor(readonly day: Day) {
    this.dice = new Dice(day.seed);
    this.targets = new Map(day.targets.map((targets, i) => [i + 1, targets]));
    const flakes = (): boolean => !this.isCalm && this.dice.happens(day.world.flakeRate);
    this.oracle = new Oracle({ mode: day.mode, settings: day.settings, world: day.world, flakes });
  }

  get problems(): readonly string[] {
    return this.oracle.queue.problems;
  }

  play(): this {
    for (const deed of this.day.deeds) {
      this.oracle.queue.say(JSON.stringify(deed));
      this.checked(() => this.perform(deed));
      if (this.problems.length > 0) return this;
    }
    this.comeToRest();
    return this;
  }

  perform(deed: Deed): void {
    const { oracle } = this;
    switch (deed.type) {
      case 'submit':
        return oracle.submit(deed.number, { ...deed, targets: this.targetsOf(deed.number) });
      case 'resubmit':
        if (oracle.queue.entries.has(deed.number)) oracle.submit(deed.number, { targets: this.targetsOf(deed.number) });
        return;
      case 'cancel':
        return oracle.cancel(deed.number);
      case 'restart':
        return this.restart(deed.number);
      case 'mergeByHand':
        return oracle.mergeByHand(deed.number);
      case 'push':
        return oracle.push(deed.number, deed.hostEvent);
      case 'prioritise':
        return this.submitAgain(deed.number, { priority: deed.priority });
      case 'targets':
        this.targets.set(deed.number, deed.targets);
        return oracle.giveTargets(deed.number, deed.targets);
      case 'report':
        return this.report(this.liveTest(deed.pick));
      case 'land':
        return this.land({ ...deed, type: deed.answer });
      case 'hotfix':
        return oracle.hotfix(deed.state);
      case 'set':
        return oracle.set(deed);
      case 'pass':
        return oracle.pass(deed.minutes);
      default:
        return assertNever(deed);
    }
  }

  liveTest(pick: number): CiRun | null {
    const live = [...this.oracle.queue.tests.values()];
    return live[pick % Math.max(1, live.length)] ?? null;
  }

  private submitAgain(number: number, wishes: { readonly priority?: number }): void {
    const { oracle } = this;
    if (oracle.queue.entries.has(number)) oracle.submit(number, { ...wishes, targets: this.targetsOf(number) });
  }

  private targetsOf(number: number): Targets {
    return this.targets.get(number) ?? [];
  }

  private report(test: CiRun | null): void {
    if (test !== null) this.oracle.report(test);
  }

  private land(answer: Parameters<Oracle['land']>[0]): void {
    const { queue } = this.oracle;
    const before = { mode: queue.mode, target: [...queue.target] };
    const { landing } = queue;
    const changes = landing?.runs.flatMap((run) => queuedHeadsOf(run.entries)) ?? [];
    this.oracle.land(answer);
    if (landing === null || !changes.every((name) => queue.landedTargets.has(name))) return;
    for (const problem of landedUntested(queue, before, landing)) queue.complain(problem);
    this.checkTip();
  }

  /**
   * Restarts the test of a pull request. Checks that the restart stops no test of another run, unless the restart
   * causes a landing, a conclusion or a conflict, or another run has failed.
   */
  private restart(number: number): void {
    const { queue } = this.oracle;
    const { landing, concluded } = queue;
    const run = queue.entries.get(number)?.run ?? null;
    if (queue.line.some((other) => other.phase === 'failed' && other !== run)) return this.oracle.restart(number);
    const own = run?.test ?? this.shortestOf(number);
    // A test of the target may stop if no entry needs it any more.
    const others = [...queue.tests.values()].filter((test) => test !== own && !('control' in test.of));
    this.oracle.restart(number);
    if (queue.landing !== landing || queue.concluded > concluded || run?.phase === 'conflicted') return;
    const stopped = others.filter((test) => !queue.tests.has(test.id));
    for (const test of stopped) queue.complain(`restarting #${number} stopped the test of [${test.numbers.join(' ')}]`);
  }

  /** The test of the shortest prefix with the pull request. */
  private shortestOf(number: number): CiRun | undefined {
    const tests = [...this.oracle.queue.tests.values()].filter((test) => test.numbers.includes(number));
    return tests.sort((a, b) => a.numbers.length - b.numbers.length)[0];
  }

  private checked(deed: () => void): void {
    const { queue } = this.oracle;
    const before = stateOf(queue);
    deed();
    const found = [...misplaced(queue), ...beyondState(queue, before), ...(this.isHonest() ? unjust(queue) : [])];
    for (const problem of found) queue.complain(problem);
  }

  /** Checks that the tests pass on the target, unless people or changed targets spoiled it. */
  private checkTip(): void {
    const { queue } = this.oracle;
    const { world, deeds, mode } = this.day;
    const changesLanes = deeds.some((deed) => deed.type === 'targets' || (deed.type === 'set' && deed.mode));
    const isSpoiled = queue.mergedAtHost.size > queue.landedTargets.size || isBrokenFromOutside(queue.target);
    if (!this.isHonest() || isSpoiled || (changesLanes && mode === 'parallel')) return;
    if (changesLanes && deeds.some((deed) => deed.type === 'set' && deed.mode)) return;
    if (isRed(world, queue.target)) queue.complain(`the target fails its test: [${queue.target.join(' ')}]`);
  }

  /** Whether CI's result for a part of a lane also holds for the whole target. */
  private isHonest(): boolean {
    const { world, deeds, mode } = this.day;
    const hasLanes = mode === 'parallel' || deeds.some((deed) => deed.type === 'set' && deed.mode !== undefined);
    // A manual merge may bring a change that fails until another change repairs it. The targets do not show the pull
    // requests that this change affects.
    const isByHand = world.mendedBy.length > 0 && deeds.some((deed) => deed.type === 'mergeByHand');
    const isLaneTrue = !isByHand && !deeds.some((deed) => deed.type === 'targets');
    return world.flakeRate === 0 && (!hasLanes || isLaneTrue);
  }

  /** Plays the calm after the deeds: CI and the host answer truthfully, and every entry leaves the queue. */
  private comeToRest(): void {
    const { oracle } = this;
    const { queue } = oracle;
    this.isCalm = true;
    queue.say('calm');
    this.checked(() => oracle.set({ state: 'running' }));
    let idleRounds = 0;
    for (let round = 0; round < 3_000 && idleRounds < 2 && this.problems.length === 0; round++) {
      const test = this.liveTest(this.dice.below(8));
      const isBroken = isRed(this.day.world, queue.hostTarget);
      idleRounds = queue.landing === null && test === null && !isBroken ? idleRounds + 1 : 0;
      if (queue.landing !== null) this.checked(() => this.land({ type: 'accepted' }));
      // While the target fails, no entry fails for its tests, so no entry would end before somebody repairs the target.
      else if (isBroken) this.checked(() => oracle.hotfix('mending'));
      else if (test !== null) this.checked(() => oracle.report(test));
      else this.checked(() => oracle.pass(10));
    }
    const open = [...queue.entries.values()].filter((entry) => entry.where !== 'out');
    if (open.length > 0 || queue.modeSwitch !== null)
      queue.complain(`never concluded: ${open.map((entry) => `#${entry.number} ${entry.where}`).join(', ')}`);
  }
}
