import { type Command, type LandRun, type StartTestRun, commandSubject } from '../../../src/engine/commands';
import type { QueueEvent } from '../../../src/engine/events';
import { assertNever, type Instant, MINUTE, SECOND } from '../../../src/engine/vocabulary';
import type { EngineHost, HostKnowledge, Tree } from '../../support/engine-host';
import type { EngineStore } from '../../support/engine-store';
import type { Chance } from './chance';
import type { News } from './news';
import type { NoisePlan } from './plan';
import type { Time } from './time';

/** What the day does when an order has had its effect. */
export interface OrderEffects {
  tell(event: QueueEvent): void;
  started(order: StartTestRun, outcome: QueueEvent): void;
  stopped(run: number): void;
  landed(order: LandRun, before: Tree): void;
  landedPartly(order: LandRun, before: Tree, landed: number): void;
}

interface OpenOrder {
  readonly command: Command;
  tries: number;
  firstFailedAt: Instant | null;
}

/**
 * Carries out what the engine orders, at least once: orders of one subject one after another, others side by side. In
 * the noisy part of the day whoever carries them out dies before or after the deed, and does it again.
 */
export class Orders {
  private readonly open = new Map<string, OpenOrder[]>();

  constructor(
    private readonly noise: NoisePlan,
    private readonly chance: Chance,
    private readonly time: Time,
    private readonly host: EngineHost,
    private readonly store: EngineStore,
    private readonly news: News,
    private readonly knowledge: HostKnowledge,
    private readonly landsWholeRuns: boolean,
    private readonly effects: OrderEffects,
  ) {}

  get count(): number {
    return [...this.open.values()].reduce((sum, orders) => sum + orders.length, 0);
  }

  give(command: Command): void {
    const subject = commandSubject('queue', command);
    const others = this.open.get(subject) ?? [];
    const order = { command, tries: 0, firstFailedAt: null };
    this.open.set(subject, [...others, order]);
    if (others.length === 0) this.tryIn(subject, order, this.delay(order, 'soon', SECOND, 10 * SECOND));
  }

  private tryIn(subject: string, order: OpenOrder, delay: Instant): void {
    this.time.in(delay, () => this.try(subject, order));
  }

  private try(subject: string, order: OpenOrder): void {
    order.tries++;
    if (this.news.isSilent) {
      order.firstFailedAt ??= this.time.now;
      this.noteSilence();
      return this.tryIn(
        subject,
        order,
        this.news.silenceEnds - this.time.now + this.delay(order, 'host', SECOND, MINUTE),
      );
    }
    if (this.happens(order, this.noise.crashBefore, 'crash before'))
      return this.tryIn(subject, order, this.delay(order, 'again', SECOND, MINUTE));
    const outcome = this.carryOut(order);
    if (this.happens(order, this.noise.crashAfter, 'crash after'))
      return this.tryIn(subject, order, this.delay(order, 'again', 30 * SECOND, 2 * MINUTE));
    this.settle(subject, order, outcome);
  }

  private settle(subject: string, order: OpenOrder, outcome: QueueEvent | null): void {
    const [, ...others] = this.open.get(subject) ?? [];
    this.open.set(subject, others);
    this.noteSilence();
    const hadFailed = order.firstFailedAt !== null;
    // An order without an outcome that had failed: its queue decides again, because the host answers.
    const event: QueueEvent | null = outcome ?? (hadFailed ? { type: 'clockTicked' } : null);
    if (event) {
      this.time.in(SECOND, () => this.effects.tell(event));
      if (this.happens(order, this.noise.outcomeTwice, 'twice'))
        this.time.in(this.delay(order, 'second time', SECOND, 10 * MINUTE), () => this.effects.tell(event));
    }
    const [next] = others;
    if (next) this.tryIn(subject, next, SECOND);
  }

  private carryOut(order: OpenOrder): QueueEvent | null {
    const { command } = order;
    switch (command.type) {
      case 'startTestRun':
        return this.start(order, command);
      case 'stopTestRun':
        this.effects.stopped(command.run);
        return null;
      case 'landRun':
        return this.land(order, command);
      default:
        return assertNever(command);
    }
  }

  private start(order: OpenOrder, command: StartTestRun): QueueEvent {
    const { run } = command;
    const refused = (because: Extract<QueueEvent, { type: 'runNotStarted' }>['because']): QueueEvent => ({
      type: 'runNotStarted',
      run,
      because,
      seen: [],
    });
    if (this.happens(order, this.noise.givenUp, 'given up'))
      return refused({ type: 'refused', reason: 'start_test_run_retry_exhausted', details: 'errors of the host' });
    if (command.onto.contains.length > 0 && this.happens(order, this.noise.baseGone, 'base gone'))
      return refused({ type: 'base_gone' });
    const outcome = this.host.start(command, this.time.now, this.knowledge);
    this.effects.started(command, outcome);
    return outcome;
  }

  private land(order: OpenOrder, command: LandRun): QueueEvent {
    const { landing, changes } = command;
    const before = this.host.target;
    const isLanded = (): boolean => this.host.hasLanded(landing);
    if (!isLanded()) {
      if (this.happens(order, this.noise.treeDiffers, 'tree differs'))
        return { type: 'landingRefused', landing, because: { type: 'tree_differs' } };
      if (this.happens(order, this.noise.targetGone, 'target gone'))
        return { type: 'landingRefused', landing, because: { type: 'target_gone' } };
      const why = 'errors of the host';
      if (this.happens(order, this.noise.givenUp, 'given up'))
        return { type: 'landingRefused', landing, because: { type: 'host_refused', number: changes[0]!.number, why } };
    }
    const last = this.host.pullRequest(changes.at(-1)!.number);
    const mergesOneByOne = !this.landsWholeRuns && changes.length > 1;
    if (mergesOneByOne && this.happens(order, this.noise.refusedMidway, 'refused midway'))
      last.refusalMidway = 'Somebody forbade it meanwhile.';
    const outcome = this.host.land(command, this.time.now, this.knowledge);
    delete last.refusalMidway;
    if (this.host.target === before) return outcome;
    if (outcome.type === 'landedPartly') this.effects.landedPartly(command, before, outcome.commits.length);
    else this.effects.landed(command, before);
    return outcome;
  }

  private noteSilence(): void {
    const moments = [...this.open.values()].flat().flatMap((order) => order.firstFailedAt ?? []);
    this.store.hostUnreachableSince = moments.length === 0 ? null : Math.min(...moments);
  }

  private happens(order: OpenOrder, probability: number, what: string): boolean {
    return this.time.isNoisy && this.chance.happens(probability, what, ...keyOf(order));
  }

  private delay(order: OpenOrder, what: string, least: Instant, most: Instant): Instant {
    return this.chance.between(least, most, what, ...keyOf(order));
  }
}

function keyOf({ command, tries }: OpenOrder): readonly (string | number)[] {
  const number = command.type === 'landRun' ? command.landing : command.run;
  return [command.type, number, tries];
}
