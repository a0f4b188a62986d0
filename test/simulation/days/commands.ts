import { type Command, type LandRun, type StartTestRun, commandSubject } from '../../../src/engine/commands';
import type { QueueEvent } from '../../../src/engine/events';
import { assertNever, type Instant, MINUTE, SECOND } from '../../../src/engine/vocabulary';
import type { EngineHost, HostKnowledge, Tree } from '../../support/engine-host';
import type { EngineStore } from '../../support/engine-store';
import type { Chance } from './chance';
import type { HostEvents } from './host-events';
import type { NoisePlan } from './plan';
import type { ServiceLife } from './service-life';
import type { Time } from './time';

/** What the day does when a command has had its effect. */
export interface CommandEffects {
  tell(event: QueueEvent): void;
  started(command: StartTestRun, outcome: QueueEvent): void;
  stopped(run: number): void;
  landed(command: LandRun, before: Tree): void;
  landedPartly(command: LandRun, before: Tree, landed: number): void;
}

interface CommandTerms {
  readonly noise: NoisePlan;
  readonly landsWholeRuns: boolean;
  readonly chance: Chance;
  readonly time: Time;
  readonly life: ServiceLife;
}

interface CommandTargets {
  readonly host: EngineHost;
  readonly store: EngineStore;
  readonly hostEvents: HostEvents;
  readonly knowledge: HostKnowledge;
}

interface OpenCommand {
  readonly command: Command;
  tries: number;
  firstFailedAt: Instant | null;
}

/**
 * Carries out the commands of the engine, at least once: those of one subject one after another, others side by side. In
 * the noisy part of the day whoever carries them out dies before or after the deed, and does it again.
 */
export class Commands {
  private readonly unsettled = new Map<string, OpenCommand[]>();

  constructor(
    private readonly terms: CommandTerms,
    private readonly targets: CommandTargets,
    private readonly effects: CommandEffects,
  ) {}

  get count(): number {
    return [...this.unsettled.values()].reduce((sum, open) => sum + open.length, 0);
  }

  give(command: Command): void {
    const subject = commandSubject('queue', command);
    const others = this.unsettled.get(subject) ?? [];
    const open = { command, tries: 0, firstFailedAt: null };
    this.unsettled.set(subject, [...others, open]);
    if (others.length === 0) this.tryIn(subject, open, this.delay(open, 'soon', SECOND, 10 * SECOND));
  }

  private tryIn(subject: string, open: OpenCommand, delay: Instant): void {
    this.terms.time.in(delay, () => this.try(subject, open));
  }

  private try(subject: string, open: OpenCommand): void {
    const { life, time } = this.terms;
    if (life.isDown) return life.whenUp(() => this.try(subject, open));
    open.tries++;
    if (this.happens(open, this.terms.noise.rateLimited, 'rate limited')) {
      open.firstFailedAt ??= time.now;
      this.noteOutage();
      return this.tryIn(subject, open, this.delay(open, 'limit', MINUTE, 15 * MINUTE));
    }
    if (this.targets.hostEvents.isHostDown) {
      open.firstFailedAt ??= this.terms.time.now;
      this.noteOutage();
      return this.tryIn(
        subject,
        open,
        this.targets.hostEvents.outageEnds - this.terms.time.now + this.delay(open, 'host', SECOND, MINUTE),
      );
    }
    if (this.happens(open, this.terms.noise.crashBefore, 'crash before'))
      return this.tryIn(subject, open, this.delay(open, 'again', SECOND, MINUTE));
    const outcome = this.carryOut(open);
    if (this.happens(open, this.terms.noise.crashAfter, 'crash after'))
      return this.tryIn(subject, open, this.delay(open, 'again', 30 * SECOND, 2 * MINUTE));
    this.settle(subject, open, outcome);
  }

  private settle(subject: string, open: OpenCommand, outcome: QueueEvent | null): void {
    const [, ...others] = this.unsettled.get(subject) ?? [];
    this.unsettled.set(subject, others);
    this.noteOutage();
    const hadFailed = open.firstFailedAt !== null;
    // A command that failed before and has no outcome: its queue decides again, because the host answers.
    const event: QueueEvent | null = outcome ?? (hadFailed ? { type: 'clockTicked' } : null);
    if (event) {
      this.terms.time.in(SECOND, () => this.effects.tell(event));
      if (this.happens(open, this.terms.noise.outcomeTwice, 'twice'))
        this.terms.time.in(this.delay(open, 'second time', SECOND, 10 * MINUTE), () => this.effects.tell(event));
    }
    const [next] = others;
    if (next) this.tryIn(subject, next, SECOND);
  }

  private carryOut(open: OpenCommand): QueueEvent | null {
    const { command } = open;
    switch (command.type) {
      case 'startTestRun':
        return this.start(open, command);
      case 'stopTestRun':
        this.effects.stopped(command.run);
        return null;
      case 'landRun':
        return this.land(open, command);
      default:
        return assertNever(command);
    }
  }

  private start(open: OpenCommand, command: StartTestRun): QueueEvent {
    const { run } = command;
    const refused = (because: Extract<QueueEvent, { type: 'runNotStarted' }>['because']): QueueEvent => ({
      type: 'runNotStarted',
      run,
      because,
      seen: [],
    });
    if (this.happens(open, this.terms.noise.givenUp, 'given up'))
      return refused({ type: 'refused', reason: 'start_test_run_retry_exhausted', details: 'errors of the host' });
    if (this.happens(open, this.terms.noise.givenUp, 'entry refused')) {
      const number = run % 2 === 0 ? (command.own.at(-1)?.number ?? null) : null;
      return refused({ type: 'entry_refused', number, details: 'as the host says' });
    }
    if (command.onto.contains.length > 0 && this.happens(open, this.terms.noise.baseGone, 'base gone'))
      return refused({ type: 'base_gone' });
    const outcome = this.targets.host.start(command, this.terms.time.now, this.targets.knowledge);
    this.effects.started(command, outcome);
    return outcome;
  }

  private land(open: OpenCommand, command: LandRun): QueueEvent {
    const { landing, changes } = command;
    const before = this.targets.host.target;
    const isLanded = (): boolean => this.targets.host.hasLanded(landing);
    if (!isLanded()) {
      if (this.happens(open, this.terms.noise.treeDiffers, 'tree differs'))
        return { type: 'landingRefused', landing, because: { type: 'tree_differs' } };
      if (this.happens(open, this.terms.noise.targetGone, 'target gone'))
        return { type: 'landingRefused', landing, because: { type: 'target_gone' } };
      const why = 'errors of the host';
      if (this.happens(open, this.terms.noise.givenUp, 'given up'))
        return { type: 'landingRefused', landing, because: { type: 'host_refused', number: changes[0]!.number, why } };
    }
    const last = this.targets.host.pullRequest(changes.at(-1)!.number);
    const mergesOneByOne = !this.terms.landsWholeRuns && changes.length > 1;
    if (mergesOneByOne && this.happens(open, this.terms.noise.refusedMidway, 'refused midway'))
      last.refusalMidway = 'Somebody forbade it meanwhile.';
    const outcome = this.targets.host.land(command, this.terms.time.now, this.targets.knowledge);
    delete last.refusalMidway;
    if (this.targets.host.target === before) return outcome;
    if (outcome.type === 'landedPartly') this.effects.landedPartly(command, before, outcome.commits.length);
    else this.effects.landed(command, before);
    return outcome;
  }

  private noteOutage(): void {
    const moments = [...this.unsettled.values()].flat().flatMap((open) => open.firstFailedAt ?? []);
    this.targets.store.hostUnreachableSince = moments.length === 0 ? null : Math.min(...moments);
  }

  private happens(open: OpenCommand, probability: number, what: string): boolean {
    return this.terms.time.isNoisy && this.terms.chance.happens(probability, what, ...keyOf(open));
  }

  private delay(open: OpenCommand, what: string, least: Instant, most: Instant): Instant {
    return this.terms.chance.between(least, most, what, ...keyOf(open));
  }
}

function keyOf({ command, tries }: OpenCommand): readonly (string | number)[] {
  const number = command.type === 'landRun' ? command.landing : command.run;
  return [command.type, number, tries];
}
