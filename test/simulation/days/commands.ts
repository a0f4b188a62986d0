import { type Command, type LandRun, type StartTestRun, commandSubject } from '../../../src/engine/commands';
import type { QueueEvent } from '../../../src/engine/events';
import { assertNever, type Instant, MINUTE, SECOND } from '../../../src/engine/vocabulary';
import type { EngineHost, HostKnowledge, Tree } from '../../support/engine-host';
import type { EngineStore } from '../../../src/processing/replay/engine-store';
import type { Chance } from './chance';
import type { HostEvents } from './host-events';
import type { Mishaps } from './mishaps';
import type { NoisePlan } from './plan';
import type { QueueTests } from './queue-tests';
import type { Surroundings } from './surroundings';

/** The functions of the day that are called after a command took effect. */
export interface CommandEffects {
  tell(event: QueueEvent): void;
  started(command: StartTestRun, outcome: QueueEvent): void;
  stopped(run: number): void;
  landed(command: LandRun, before: Tree): void;
  landedPartly(command: LandRun, before: Tree, landed: number): void;
}

interface CommandingQueue {
  readonly chance: Chance;
  readonly mishaps: Mishaps;
  readonly host: EngineHost;
  readonly store: EngineStore;
  readonly hostEvents: HostEvents;
  readonly tests: QueueTests;
}

interface OpenCommand {
  readonly command: Command;
  tries: number;
  firstFailedAt: Instant | null;
}

/**
 * Carries out the commands of the engine at least once. The commands of one subject are carried out in order, and
 * different subjects do not wait for each other. In the noisy part of the day the process may die before or after a
 * command; then the command is carried out again.
 */
export class Commands {
  private readonly unsettled = new Map<string, OpenCommand[]>();
  private readonly knowledge: HostKnowledge;

  constructor(
    private readonly around: Surroundings,
    private readonly queue: CommandingQueue,
    private readonly effects: CommandEffects,
  ) {
    this.knowledge = {
      knownResult: (tree, statuses, since) => queue.store.results.of(tree, statuses, since),
      hasPassed: (commit, name) => queue.tests.verdictOf(commit, name) === 'passed',
    };
  }

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
    this.around.time.in(delay, () => this.try(subject, open));
  }

  private try(subject: string, open: OpenCommand): void {
    const { life, time } = this.around;
    if (life.isDown) return life.whenUp(() => this.try(subject, open));
    open.tries++;
    if (this.happens(open, 'rateLimited')) {
      open.firstFailedAt ??= time.now;
      this.noteOutage();
      return this.tryIn(subject, open, this.delay(open, 'limit', MINUTE, 15 * MINUTE));
    }
    if (this.queue.hostEvents.isHostDown) {
      open.firstFailedAt ??= this.around.time.now;
      this.noteOutage();
      return this.tryIn(
        subject,
        open,
        this.queue.hostEvents.outageEnds - this.around.time.now + this.delay(open, 'host', SECOND, MINUTE),
      );
    }
    if (this.happens(open, 'crashBefore')) return this.tryIn(subject, open, this.delay(open, 'again', SECOND, MINUTE));
    const outcome = this.carryOut(open);
    if (this.happens(open, 'crashAfter'))
      return this.tryIn(subject, open, this.delay(open, 'again', 30 * SECOND, 2 * MINUTE));
    this.settle(subject, open, outcome);
  }

  private settle(subject: string, open: OpenCommand, outcome: QueueEvent | null): void {
    const [, ...others] = this.unsettled.get(subject) ?? [];
    this.unsettled.set(subject, others);
    this.noteOutage();
    const hadFailed = open.firstFailedAt !== null;
    // If the command failed before and now has an answer without an outcome, its queue decides again, because the host
    // is back.
    const event: QueueEvent | null = outcome ?? (hadFailed ? { type: 'clockTicked' } : null);
    if (event) {
      this.around.time.in(SECOND, () => this.effects.tell(event));
      if (this.happens(open, 'outcomeTwice'))
        this.around.time.in(this.delay(open, 'second time', SECOND, 10 * MINUTE), () => this.effects.tell(event));
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
    if (this.happens(open, 'givenUp'))
      return refused({ type: 'refused', reason: 'start_test_run_retry_exhausted', details: 'errors of the host' });
    if (this.happens(open, 'entryRefused')) {
      const number = run % 2 === 0 ? (command.own.at(-1)?.number ?? null) : null;
      return refused({ type: 'entry_refused', number, details: 'as the host says' });
    }
    if (command.onto.contains.length > 0 && this.happens(open, 'baseGone')) return refused({ type: 'base_gone' });
    const outcome = this.queue.host.start(command, this.around.time.now, this.knowledge);
    this.effects.started(command, outcome);
    return outcome;
  }

  private land(open: OpenCommand, command: LandRun): QueueEvent {
    const { landing, changes } = command;
    const before = this.queue.host.target;
    const isLanded = (): boolean => this.queue.host.hasLanded(landing);
    if (!isLanded()) {
      if (this.happens(open, 'treeDiffers'))
        return { type: 'landingRefused', landing, because: { type: 'tree_differs' } };
      if (this.happens(open, 'targetGone'))
        return { type: 'landingRefused', landing, because: { type: 'target_gone' } };
      const why = 'errors of the host';
      if (this.happens(open, 'givenUp'))
        return { type: 'landingRefused', landing, because: { type: 'host_refused', number: changes[0]!.number, why } };
    }
    const { number } = changes.at(-1)!;
    if (!isLanded() && this.happens(open, 'turnedAside')) this.around.turnAside(number);
    const last = this.queue.host.pullRequest(number);
    const mergesOneByOne = !this.around.plan.landsWholeRuns && changes.length > 1;
    if (mergesOneByOne && this.happens(open, 'refusedMidway')) last.refusalMidway = 'Somebody forbade it meanwhile.';
    this.interfere(open, command);
    const outcome = this.queue.host.land(command, this.around.time.now, this.knowledge);
    for (const { number: one } of changes) {
      delete this.queue.host.pullRequest(one).leavesOut;
      delete this.queue.host.pullRequest(one).pushedBeneath;
    }
    delete last.refusalMidway;
    if (this.queue.host.target === before) return outcome;
    if (outcome.type === 'landedPartly') this.effects.landedPartly(command, before, outcome.commits.length);
    else this.effects.landed(command, before);
    return outcome;
  }

  /**
   * On a host that merges one pull request after another, nothing protects the target, and the host may merge wrongly.
   */
  private interfere(open: OpenCommand, { changes, landing }: LandRun): void {
    const { host } = this.queue;
    if (this.around.plan.landsWholeRuns || host.hasLanded(landing)) return;
    if (this.happens(open, 'leftOut')) host.pullRequest(changes[0]!.number).leavesOut = ['a.txt'];
    else if (this.happens(open, 'pushedBeneath'))
      host.pullRequest(changes[0]!.number).pushedBeneath = `beneath-${landing}`;
  }

  private noteOutage(): void {
    const moments = [...this.unsettled.values()].flat().flatMap((open) => open.firstFailedAt ?? []);
    this.queue.store.hostUnreachableSince = moments.length === 0 ? null : Math.min(...moments);
  }

  private happens(open: OpenCommand, mishap: keyof NoisePlan): boolean {
    return this.queue.mishaps.happens(mishap, ...keyOf(open));
  }

  private delay(open: OpenCommand, what: string, least: Instant, most: Instant): Instant {
    return this.queue.chance.between(least, most, what, ...keyOf(open));
  }
}

function keyOf({ command, tries }: OpenCommand): readonly (string | number)[] {
  const number = command.type === 'landRun' ? command.landing : command.run;
  return [command.type, number, tries];
}
