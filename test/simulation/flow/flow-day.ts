import type { Change } from '../../../src/engine/changes';
import type { Command } from '../../../src/engine/commands';
import { decide } from '../../../src/engine/decide';
import type { QueueEvent } from '../../../src/engine/events';
import { FLOW_AT_START } from '../../../src/engine/flow-state';
import { violations } from '../../../src/engine/invariants';
import type { QueueSnapshot } from '../../../src/engine/model';
import { configWaitedFor } from '../../../src/engine/policy/order';
import { isConcluded } from '../../../src/engine/states';
import { assertNever, type Instant, MINUTE, type Scheduling, SECOND } from '../../../src/engine/vocabulary';
import { emptyQueue } from '../../support/engine-snapshots';
import { EngineStore } from '../../../src/processing/replay/engine-store';
import { forbiddenMoves } from '../days/checks/transitions';
import { Dice } from '../oracle/random';
import { drawFlowSettings } from './draw-queue';
import { FlowChecks } from './flow-checks';
import { HostOfDay } from './host-of-day';
import { PeopleOfDay } from './people-of-day';
import { Truth } from './truth';

export interface FlowDayResult {
  readonly problem: string | null;
  readonly events: number;
  readonly runs: number;
  readonly merged: number;
  readonly failed: number;
  readonly innocents: number;
}

class Problem extends Error {}

const EVENTS_AT_MOST = 6_000;
const RUNS_AT_MOST = 80;
/** Within this time the queue must act without an event. */
const PATIENCE = 3 * 60 * MINUTE;

/** A random day of a flow queue on the real `decide`, in a world that knows the truth. */
export class FlowDay {
  readonly dice: Dice;
  readonly truth: Truth;
  readonly store: EngineStore;
  readonly checks: FlowChecks;
  readonly people: PeopleOfDay;
  readonly host: HostOfDay;
  now: Instant = Date.UTC(2026, 0, 1);
  /** The number of the outage in progress; 0 if there is none. */
  outage = 0;
  /** The scheduling before the change that is being checked. */
  scheduling: Scheduling;
  /** The number of test runs of each entry, by the entry's id. */
  readonly runsOf = new Map<string, number>();
  private wakeAt: Instant | null = null;
  private events = 0;
  private runs = 0;

  constructor(
    readonly seed: number,
    private readonly trace: (line: string) => void = () => undefined,
  ) {
    this.dice = new Dice(seed);
    this.truth = new Truth(this.dice);
    const { dice, truth } = this;
    const settings = drawFlowSettings(dice, truth);
    this.scheduling = settings.scheduling ?? 'in_order';
    const failure = dice.pick([
      { yes: 0, no: 0 },
      { yes: 10, no: 20 },
    ]);
    const flake = truth.isFlaky ? { yes: 10, no: 100 } : { yes: 0, no: 0 };
    const flow = { ...FLOW_AT_START, learned: { ...FLOW_AT_START.learned, failure, flake } };
    this.store = new EngineStore({ ...emptyQueue(settings, null), flow });
    this.people = new PeopleOfDay(this);
    this.host = new HostOfDay(this);
    this.checks = new FlowChecks(this);
    this.host.look();
  }

  play(): FlowDayResult {
    let problem: string | null = null;
    try {
      this.live();
    } catch (error) {
      problem = error instanceof Problem ? error.message : `threw ${(error as Error).stack ?? String(error)}`;
    }
    const { events, runs } = this;
    return { problem, events, runs, ...this.checks.tally };
  }

  fail(what: string): never {
    throw new Problem(what);
  }

  get queue(): QueueSnapshot {
    return this.store.everything(this.now);
  }

  private live(): void {
    const { host, dice } = this;
    let left = this.truth.count * 4 + 20;
    while (this.events < EVENTS_AT_MOST) {
      const isDeed = left > 0 && (!host.isBusy || dice.happens(0.35));
      if (isDeed) {
        left--;
        this.people.act();
      } else if (host.isBusy) {
        if (left === 0 && this.outage > 0 && dice.happens(0.1)) this.outage = 0;
        host.work();
      } else if (left === 0 && !this.comesToRest()) return;
    }
    this.fail('goes on for ever');
  }

  /** Lets the queue go on after the last action of people. Returns false when the queue is at rest. */
  private comesToRest(): boolean {
    this.outage = 0;
    if (this.people.goesHome()) return true;
    if (this.store.tip?.commit !== this.host.tip().commit) {
      this.host.look();
      return true;
    }
    if (this.wakeAt !== null && this.wakeAt < this.now + PATIENCE) {
      this.now = Math.max(this.now, this.wakeAt);
      this.send({ type: 'clockTicked' });
      return true;
    }
    const { queue } = this;
    if (queue.entries.some((entry) => !isConcluded(entry.state) && configWaitedFor(queue, entry) !== null)) {
      this.host.pushToTarget();
      return true;
    }
    const open = queue.entries.filter(({ state }) => !isConcluded(state) && state !== 'not_ready');
    if (open.length > 0) this.fail(`stall: ${open.map((e) => `#${e.number} ${e.flow?.at ?? 'waiting'}`).join(', ')}`);
    this.checks.heldForNothing();
    return false;
  }

  send(event: QueueEvent): void {
    this.events++;
    if (event.type !== 'clockTicked') this.now += SECOND;
    const before = this.store.load(event, this.now);
    const decision = decide(before, event, this.now);
    if (decision.type === 'refused') return;
    this.trace(describeStep(event, decision.changes));
    for (const violation of violations(before, decision)) this.fail(`invariant: ${violation}`);
    for (const move of forbiddenMoves(decision.changes)) this.fail(`state: ${move}`);
    this.checks.moves(before, decision.changes);
    this.store.save(decision);
    this.wakeAt = decision.wakeAt;
    for (const change of decision.changes) this.note(change);
    for (const command of decision.commands) this.take(command);
    if (decision.wakeAt === null || decision.wakeAt > this.now) return;
    if (event.type === 'clockTicked' && decision.changes.length === 0) this.fail('wants to decide again for nothing');
    this.send({ type: 'clockTicked' });
  }

  private note(change: Change): void {
    this.checks.note(change);
    if (change.type === 'schedulingChanged') this.scheduling = change.scheduling;
    if (change.type !== 'runStarted') return;
    this.runs++;
    for (const { entryId } of change.run.own) {
      const runs = (this.runsOf.get(entryId) ?? 0) + 1;
      this.runsOf.set(entryId, runs);
      if (runs > RUNS_AT_MOST) this.fail('an entry is tested for ever');
    }
  }

  private take(command: Command): void {
    switch (command.type) {
      case 'startTestRun':
        this.checks.mayStart(command);
        return this.host.order({ at: 'build', command });
      case 'stopTestRun':
        return this.host.stop(command.run);
      case 'landRun':
        this.checks.mayLand(command);
        return this.host.order({ at: 'land', command });
      default:
        return assertNever(command);
    }
  }
}

function describeStep(event: QueueEvent, changes: readonly Change[]): string {
  return `${JSON.stringify(event)}\n${changes.map((change) => `    ${JSON.stringify(change)}`).join('\n')}`;
}
