import type { Decided } from '../../../../src/engine/decision';
import type { QueueEvent } from '../../../../src/engine/events';
import type { Entry, QueueSnapshot } from '../../../../src/engine/model';
import type { Instant } from '../../../../src/engine/vocabulary';
import { type EngineHost, nameOf } from '../../../support/engine-host';
import type { EngineStore } from '../../../../src/processing/replay/engine-store';
import { LandingCheck } from '../../../support/landing-check';
import type { CodeWorld } from '../code-world';
import type { DayPlan } from '../plan';
import type { QueueTests } from '../queue-tests';
import type { ServiceLife } from '../service-life';
import { AcquittalCheck } from './acquittal-check';
import { FateCheck, movesTo } from './fate-check';
import { JusticeCheck, type OrderInForce } from './justice-check';
import { LossCheck } from './loss-check';
import { NeedsCheck } from './needs-check';
import { OrderCheck } from './order-check';
import { SlotsCheck } from './slots-check';
import { PatienceCheck } from './patience-check';
import { SuspicionCheck } from './suspicion-check';
import { TimeOutCheck } from './time-out-check';
import { forbiddenMoves } from './transitions';

interface CheckedWorld {
  readonly code: CodeWorld;
  readonly life: ServiceLife;
  readonly tests: QueueTests;
}

export interface CheckedDecision {
  readonly event: QueueEvent;
  readonly decided: Decided;
  /** The settings that held before the event. */
  readonly order: OrderInForce;
  readonly now: Instant;
}

/**
 * All checks of one queue. The target's content and CI's results stay when the queue is deleted; all other facts end
 * with the queue.
 */
export class QueueChecks {
  readonly landings: LandingCheck;
  readonly justice: JusticeCheck;
  slots!: SlotsCheck;
  fates!: FateCheck;
  acquittals!: AcquittalCheck;
  private order!: OrderCheck;
  private needs!: NeedsCheck;
  private timeOuts!: TimeOutCheck;
  private losses!: LossCheck;
  suspicions!: SuspicionCheck;
  patience!: PatienceCheck;
  private readonly found: string[] = [];
  private earlierRuns = 0;

  constructor(
    private readonly plan: DayPlan,
    private readonly host: EngineHost,
    private readonly store: EngineStore,
    private readonly world: CheckedWorld,
  ) {
    this.landings = new LandingCheck(host);
    this.justice = new JusticeCheck(host, world.code, (commit) => world.tests.isHonest(commit));
    this.begin();
  }

  /** Starts the checks for a new queue. */
  begin(): void {
    const { settings, limits, freezes } = this.plan;
    const { life } = this.world;
    this.earlierRuns += this.slots?.runs ?? 0;
    this.slots = new SlotsCheck(settings, limits, (commit, name) => this.world.tests.verdictOf(commit, name));
    this.fates = new FateCheck(this.host, this.store);
    this.needs = new NeedsCheck(this.host, this.store);
    this.order = new OrderCheck(settings, limits, freezes);
    this.timeOuts = new TimeOutCheck(settings, (from, to) => life.runningTime(from, to));
    this.acquittals = new AcquittalCheck();
    this.losses = new LossCheck((commit) => this.store.reportsOn(commit));
    this.suspicions = new SuspicionCheck(settings, (from, to) => life.runningTime(from, to));
    this.patience = new PatienceCheck((from, to) => life.runningTime(from, to));
  }

  get runs(): number {
    return this.earlierRuns + this.slots.runs;
  }

  started(run: number, commit: string): void {
    this.justice.started(run, commit, this.slots.isOfSearch(run));
  }

  decided({ event, decided, order, now }: CheckedDecision): void {
    const { changes, commands, after } = decided;
    const entryOf = (id: string): Entry => after.entries.find((entry) => entry.id === id)!;
    this.found.push(...forbiddenMoves(changes));
    this.slots.decided(event, changes, commands, now);
    this.order.decided(event, changes, commands, now);
    this.timeOuts.decided(event, changes, commands, now);
    this.acquittals.decided(changes, (entryId) => nameOf(entryOf(entryId)));
    this.losses.decided(changes, entryOf);
    this.needs.decided(changes, entryOf);
    this.suspicions.decided(event, changes, now);
    this.patience.decided({ after }, now);
    if (event.type === 'landed' || event.type === 'landedPartly') {
      // The host may report a landing twice. Only the first report settles the landing.
      if (changes.some(({ type }) => type === 'landingSettled')) this.found.push(...unheededIn(event, after));
    }
    if (event.type === 'pullRequestSubmitted') this.fates.accepted(event.facts.number);
    for (const move of movesTo(changes, 'failed')) this.justice.failed(move, entryOf(move.entryId), after.tip, order);
    for (const move of movesTo(changes, 'merged', 'failed', 'cancelled'))
      this.fates.concluded(move, entryOf(move.entryId));
  }

  /** Returns the problems found since the last call. */
  takeProblems(): readonly string[] {
    const { landings, slots, justice, fates, order, needs, timeOuts, acquittals, losses, suspicions, patience } = this;
    const lists = [
      this.found,
      ...[landings, slots, justice, fates, order, needs, timeOuts, acquittals, losses, suspicions, patience].map(
        (c) => c.problems,
      ),
    ];
    return lists.flatMap((problems) => problems.splice(0));
  }
}

/**
 * Finds landings in which the host merged a wrong tree, or somebody pushed beneath the merge, although the queue
 * noticed nothing.
 */
function unheededIn(
  { landing, ...event }: Extract<QueueEvent, { type: 'landed' | 'landedPartly' }>,
  { partialLanding, state, stateAfterSwitch }: QueueSnapshot,
): readonly string[] {
  const isPaused = state === 'paused' || stateAfterSwitch === 'paused';
  const isOpen = partialLanding?.landing === landing;
  if (event.wrongTrees !== undefined && isOpen && !isPaused)
    return [`landing ${landing} is wrong, and the queue goes on`];
  const isHeeded = isOpen || (event.wrongTrees === undefined && !('isMixed' in event));
  return isHeeded ? [] : [`landing ${landing} left something else on the target, and nobody looks`];
}
