import type { Command, LandRun } from '../../engine/commands';
import { decide } from '../../engine/decide';
import { evolve } from '../../engine/evolve';
import type { QueueEvent } from '../../engine/events';
import type { Freeze, FreezeWindow, PullRequestFacts, QueueSettings } from '../../engine/model';
import { assertNever, type Instant, MINUTE, SECOND } from '../../engine/vocabulary';
import { Agenda } from './agenda';
import { EngineStore } from './engine-store';
import { firstFrom, type Happening, type OutsideEvent, type PastLanding, type QueueHistory } from './history';
import { PastResults } from './past-results';
import { ReplayedCourse } from './replayed-course';
import { NEVER_THEN, type ReplayedQueue, ReplayedTests } from './replayed-tests';
import { ReplayWorld } from './replay-world';
import { type OtherSettings, snapshotAtStart } from './snapshot-at-start';
import { type UsualTimes, usualTimesOf } from './usual-times';

/** Computes the freezes of windows. The caller passes this function, because a replay knows no time zones. */
export type FreezesAround = (windows: readonly FreezeWindow[], now: Instant) => readonly Freeze[];

/**
 * A decision because of the time counts as the replay's if the history has it within this time: services tick once a
 * second, under load later.
 */
const TICK_LATE_AT_MOST = 10 * SECOND;
const BEFORE_ALL = -1;

/**
 * Replays the history of a queue in virtual time, with new decisions by the engine. Events from outside come as they
 * did in the history. Tests end as in the history, or as `PastResults` concludes. Events that happen as in the history
 * also keep their order within an instant.
 */
export class Replay implements ReplayedQueue {
  readonly course = new ReplayedCourse();
  private readonly agenda = new Agenda();
  private readonly store: EngineStore;
  private readonly world: ReplayWorld;
  private readonly usual: UsualTimes;
  private readonly announced: ReadonlySet<string>;
  private readonly tests: ReplayedTests;
  now: Instant;
  private isOver = false;
  /** The epoch of the target that the queue knows. */
  private epoch: number;
  private settings: QueueSettings;
  private wakeAt: Instant | null = null;
  /** The rank of the last decision. */
  private rank = BEFORE_ALL;

  constructor(
    private readonly history: QueueHistory,
    private readonly other: OtherSettings,
    private readonly freezesAround: FreezesAround,
    results = PastResults.of(history),
  ) {
    this.world = new ReplayWorld(history, results);
    this.usual = usualTimesOf(history);
    const start = snapshotAtStart(history.start, other, history.start.knowsTip ? this.world.tip() : null);
    this.store = new EngineStore(start);
    this.settings = start.settings;
    this.epoch = start.epoch;
    this.now = history.from;
    this.announced = new Set(history.happenings.flatMap(announcedBy));
    const { world, store, course, usual } = this;
    this.tests = new ReplayedTests(this, { world, store, course, usual });
    for (const happening of history.happenings)
      this.agenda.add(happening.at, () => this.happen(happening), happening.rank);
  }

  /** Advances by this many steps. Returns whether the history is over. */
  advance(steps: number): boolean {
    for (let i = 0; i < steps; i++) {
      const tick = this.tick();
      const { first } = this.agenda;
      const isTick =
        tick !== null && (first === null || tick.at < first.at || (tick.at === first.at && tick.rank <= first.rank));
      const next = isTick ? tick : first;
      if (next === null || next.at > this.history.until) {
        this.isOver = true;
        return true;
      }
      this.now = Math.max(this.now, next.at);
      if (Number.isInteger(next.rank)) this.rank = next.rank;
      if (isTick) this.tickNow();
      else this.agenda.takeFirst()?.();
    }
    return false;
  }

  /** The instant up to which the replay has come. */
  get reached(): Instant {
    return this.isOver ? this.history.until : this.now;
  }

  /**
   * The next decision because of the time. It comes as late as in the history, and not before other decisions of the
   * queue up to that instant.
   */
  private tick(): { readonly at: Instant; readonly rank: number } | null {
    if (this.wakeAt === null) return null;
    const due = Math.max(this.wakeAt, this.now);
    const { decided } = this.history;
    let i = firstFrom(decided, due);
    while ((decided[i]?.rank ?? Infinity) <= this.rank) i++;
    const next = decided[i];
    if (!next || next.at > due + TICK_LATE_AT_MOST) return { at: due, rank: BEFORE_ALL };
    return { at: next.at, rank: next.isTick ? next.rank : next.rank + 0.25 };
  }

  private tickNow(): void {
    this.wakeAt = null;
    const hasChanged = this.tell({ type: 'clockTicked' });
    if (!hasChanged && this.wakeAt !== null && this.wakeAt <= this.now) this.wakeAt = this.now + MINUTE;
  }

  private happen(happening: Happening): void {
    switch (happening.type) {
      case 'event':
        return this.hear(happening.event);
      case 'targetPushed':
        this.world.push();
        if (happening.isTold) this.seeTarget();
        return;
      case 'targetSeen':
        return this.seeTarget();
      case 'pullRequestChanged':
        return this.world.observe(happening.facts);
      case 'targetsGiven': {
        const { number, head, targets } = happening;
        this.store.giveTargets(number, head, targets === 'ALL' ? targets : new Set(targets));
        if (this.announced.has(`${number}@${head}`) || !this.store.entryOf(number)) return;
        this.tell({ type: 'targetsGiven', number, head });
        return;
      }
      default:
        assertNever(happening);
    }
  }

  private hear(event: OutsideEvent): void {
    switch (event.type) {
      case 'pullRequestSubmitted': {
        const facts = this.seen(event.facts);
        const hasTargets = this.store.targets.has(facts.number, facts.head);
        this.tell({ ...event, newEntryId: `entry-${facts.number}`, facts, hasTargets });
        return;
      }
      case 'pullRequestSeen':
        this.tell({ ...event, facts: this.seen(event.facts) });
        return;
      case 'pullRequestGone': {
        const facts = this.world.facts(event.number, this.now);
        if (facts) this.world.observe({ ...facts, state: 'closed' });
        this.tell({ ...event, seenAt: this.now });
        return;
      }
      case 'settingsChanged': {
        const kept = Object.entries(event.settings).filter(([name]) => !(name in this.other.settings));
        const { mode, ...others } = event;
        const isModeKept = mode !== undefined && this.other.mode === undefined;
        this.tell({ ...others, settings: Object.fromEntries(kept), ...(isModeKept && { mode }) });
        return;
      }
      default:
        this.tell(event);
    }
  }

  private seen(facts: PullRequestFacts): PullRequestFacts {
    const now = { ...facts, seenAt: this.now };
    this.world.observe(now);
    return now;
  }

  private seeTarget(): void {
    this.tell({ type: 'targetSeen', tip: this.world.tip(), seenAt: this.now });
  }

  /** Lets the queue decide on the event. Returns whether the decision changed anything. */
  tell(event: QueueEvent): boolean {
    const { freezeWindows = this.settings.freezeWindows } = event.type === 'settingsChanged' ? event.settings : {};
    this.store.freezes = freezeWindows.length === 0 ? [] : this.freezesAround(freezeWindows, this.now);
    this.store.downtimes = this.history.downtimes.filter(({ from }) => from <= this.now);
    const before = this.store.load(event, this.now);
    const decision = decide(before, event, this.now);
    this.course.decisions++;
    if (decision.type === 'refused') {
      this.course.refused++;
      return false;
    }
    let queue = before;
    for (const change of decision.changes) {
      this.course.note(queue, change);
      queue = evolve(queue, change);
    }
    this.store.save(decision);
    this.wakeAt = decision.wakeAt;
    this.epoch = decision.after.epoch;
    this.settings = decision.after.settings;
    for (const command of decision.commands) this.carryOut(command);
    return decision.changes.length > 0;
  }

  private carryOut(command: Command): void {
    switch (command.type) {
      case 'startTestRun':
        return this.tests.order(command);
      case 'stopTestRun':
        return this.tests.stop(command);
      case 'landRun':
        return this.orderLanding(command);
      default:
        assertNever(command);
    }
  }

  private orderLanding(command: LandRun): void {
    const past = this.world.takeLanding(command);
    const rank = past?.orderedAt === this.now ? past.rank : undefined;
    const after = past?.isUnderWay ? Math.max(past.toldAfter, this.usual.landing) : past?.toldAfter;
    this.later(after ?? this.usual.landing, rank, () => this.land(command, past));
  }

  private land({ landing, changes, direct }: LandRun, past: PastLanding | null): void {
    const { world, now } = this;
    const refusal = past?.refused ?? null;
    if (world.epoch > this.epoch) {
      this.tell({ type: 'landingRefused', landing, because: world.moved(now) });
    } else if (refusal !== null && refusal.type !== 'target_moved') {
      this.tell({ type: 'landingRefused', landing, because: refusal });
    } else if (direct && past === null) {
      this.tell({ type: 'landingRefused', landing, because: { type: 'not_direct', why: '' } });
    } else {
      world.land(changes);
      const tip = world.tip();
      this.tell({ type: 'landed', landing, tip, commits: changes.map(({ number }) => ({ number, ...tip })), at: now });
    }
  }

  /** `rank`: the rank of the decision that followed in the history, if `act` happens as it did there. */
  later(after: Instant, rank: number | undefined, act: () => void): void {
    this.agenda.add(this.now + after, act, rank ?? NEVER_THEN);
  }
}

function announcedBy(happening: Happening): readonly string[] {
  const isGiven = happening.type === 'event' && happening.event.type === 'targetsGiven';
  return isGiven ? [`${happening.event.number}@${happening.event.head}`] : [];
}
