import type { Change } from '../../../src/engine/changes';
import type { LandRun, StartTestRun } from '../../../src/engine/commands';
import { openEntry } from '../../../src/engine/flow/heads';
import type { Entry, QueuedHead, QueueSnapshot } from '../../../src/engine/model';
import { isConcluded } from '../../../src/engine/states';
import { HOUR, type Instant, type Scheduling } from '../../../src/engine/vocabulary';
import type { EngineStore } from '../../../src/processing/replay/engine-store';
import { numberIn, type Piece, pieceOf, type TestOfDay, type Truth, type WhyRed } from './truth';

/** The parts of a day that the checks see. */
interface WatchedDay {
  readonly truth: Truth;
  readonly store: EngineStore;
  readonly queue: QueueSnapshot;
  readonly now: Instant;
  readonly outage: number;
  readonly scheduling: Scheduling;
  readonly host: {
    readonly tips: ReadonlyMap<string, readonly Piece[]>;
    readonly greenTrees: Set<string>;
    readonly target: readonly Piece[];
  };
  readonly people: {
    needsOf(number: number): readonly number[];
    containedIn(number: number): readonly string[];
  };
  fail(what: string): never;
}

interface RedAloneSeen {
  readonly on: readonly Piece[];
  readonly why: WhyRed | null;
  /** The number of the outage that was in progress during the test; 0 if there was none. */
  readonly outage: number;
  /** Whether CI did not report a failure, because it reported nothing in time or gave up. */
  readonly isUnsaid: boolean;
}

/** This many failures count as an outage, and no entry may fail only because of failures in an outage. */
const OUTAGE = 4;

/** Invariants of a day, checked against the truth and the world's own record, and not against the queue's records. */
export class FlowChecks {
  readonly tally = { merged: 0, failed: 0, innocents: 0 };
  private readonly tests = new Map<number, TestOfDay>();
  /** Failures in isolation, by pull request and head, so that they stay known after a restart. */
  private readonly redsAlone = new Map<string, RedAloneSeen[]>();
  private readonly redsIn = new Map<number, number>();
  private readonly hasPassedSince = new Set<number>();
  private readonly landings: Instant[] = [];
  /**
   * For each pull request and head, as `number@head`, the earlier entries that it contained when the queue accepted it.
   */
  private readonly contained = new Map<string, readonly Pick<Entry, 'number' | 'head'>[]>();
  private readonly within = new Map<string, readonly string[]>();
  private outages = 0;

  constructor(private readonly day: WatchedDay) {}

  built(test: TestOfDay): void {
    this.tests.set(test.run, test);
  }

  result(test: TestOfDay, why: WhyRed | null, isGreen: boolean): void {
    const { outage, truth, host } = this.day;
    this.outages = Math.max(this.outages, outage);
    if (outage > 0) this.redsIn.set(outage, (this.redsIn.get(outage) ?? 0) + 1);
    else if (isGreen) for (let past = 1; past <= this.outages; past++) this.hasPassedSince.add(past);
    if (isGreen) host.greenTrees.add(truth.treeOf(test.pieces));
    else this.redAlone(test, { why, outage, isUnsaid: false });
  }

  private redAlone(test: TestOfDay, red: Omit<RedAloneSeen, 'on'>): void {
    const [only, ...others] = test.own;
    if (only === undefined || others.length > 0) return;
    const head = headOf(only);
    this.redsAlone.set(head, [...(this.redsAlone.get(head) ?? []), { ...red, on: test.pieces.slice(0, -1) }]);
  }

  /** Checks that every move of an entry starts in the state in which its previous move ended. */
  moves(before: QueueSnapshot, changes: readonly Change[]): void {
    const states = new Map(before.entries.map(({ id, state }) => [id, state]));
    for (const change of changes) {
      if (change.type === 'entrySubmitted') states.set(change.entry.id, change.entry.state);
      if (change.type !== 'entryMoved') continue;
      const state = states.get(change.entryId);
      if (state !== change.from)
        this.day.fail(`${change.entryId} moved from ${change.from} to ${change.to}, and was ${state}`);
      states.set(change.entryId, change.to);
    }
  }

  note(change: Change): void {
    if (change.type === 'entrySubmitted') this.takenUp(change.entry.id, change.entry.head);
    if (change.type === 'entryFollowedHead') this.takenUp(change.entryId, change.head);
    if (change.type === 'changeLanded') this.landings.push(change.at);
    if (change.type === 'runFailed' && change.failure.type !== 'status') this.saidNothing(change.run);
    if (change.type !== 'entryMoved') return;
    if (change.to === 'merged') this.tally.merged++;
    if (change.to !== 'failed') return;
    this.tally.failed++;
    if (change.because?.startsWith('test_run_')) this.failedByTests(change.entryId);
  }

  private saidNothing(run: number): void {
    const test = this.tests.get(run);
    if (test === undefined) return;
    this.redAlone(test, { why: this.day.truth.whyRed(test.pieces, test.saidNeeds), outage: 0, isUnsaid: true });
  }

  private failedByTests(entryId: string): void {
    const { day } = this;
    const entry = this.entryOf(entryId);
    if (!entry) return;
    const hasFlow = day.scheduling === 'flow';
    // In sequential scheduling, changes may land from behind a dry run before its verdict. The tree without them
    // counts, too, even if it was never tested.
    const wasPassed = entry.dryRun && !hasFlow;
    const targets = [...day.host.tips.values()].flatMap((pieces) => (wasPassed ? beginningsOf(pieces) : [pieces]));
    const known = new Set(targets.map((pieces) => day.truth.treeOf(pieces)));
    const piece = pieceOf(entry);
    const reds = (this.redsAlone.get(headOf(piece)) ?? []).filter(({ on }) => known.has(day.truth.treeOf(on)));
    const isUnsaid = reds.every((red) => red.isUnsaid);
    if (reds.length < ((day.truth.isFlaky || isUnsaid) && hasFlow ? 2 : 1))
      day.fail('failed without a failed test in isolation on the target');
    if (reds.every(({ why }) => why === 'need')) day.fail('failed for the lack of a dependency');
    if (hasFlow && reds.every((red) => this.lacksWhatItNames(entry, red)))
      day.fail('failed for the lack of a dependency that its description names by now');
    if (reds.some(({ why }) => why !== null)) return;
    this.tally.innocents++;
    const [first] = reds;
    const isOneOutage = reds.every(({ outage }) => outage === first!.outage) && first!.outage > 0;
    if (day.truth.isFlaky || !isOneOutage || !hasFlow) return;
    if ((this.redsIn.get(first!.outage) ?? 0) >= OUTAGE && this.hasPassedSince.has(first!.outage))
      day.fail('an innocent entry failed in an outage');
  }

  /**
   * Whether the failed run lacked a hidden need that is not on the target, and that a description has named since the
   * run.
   */
  private lacksWhatItNames({ number }: Entry, { on, why }: RedAloneSeen): boolean {
    const there = new Set([...on, ...this.day.host.target].map(numberIn));
    const named = this.day.people.needsOf(number);
    return (
      why === 'hidden need' && this.day.truth.neededBy(number).some((one) => named.includes(one) && !there.has(one))
    );
  }

  /**
   * Checks that a tested entry is in the queue and ready, that nothing is built on a dry run, and that a dry run is in
   * no batch.
   */
  mayStart({ own, builtOn, onto }: StartTestRun): void {
    const { day } = this;
    const { queue } = day;
    const entries = new Map(queue.entries.map((entry) => [entry.id, entry]));
    const mine = own.map(({ entryId }) => entries.get(entryId));
    const below = [...onto.contains, ...builtOn].map(({ entryId }) => entries.get(entryId));
    if (queue.state !== 'running') day.fail(`starts a test while ${queue.state}`);
    if (mine.some((entry) => !entry || isConcluded(entry.state) || entry.state === 'not_ready'))
      day.fail('tests an entry that is not ready');
    if (below.some((entry) => entry?.dryRun)) day.fail('builds on a dry run');
    if (mine.length > 1 && mine.some((entry) => entry?.dryRun)) day.fail('tests a dry run with others');
    const tree = [...below, ...mine];
    // If an entry was landing when its description named a new need, the entry comes first, whatever the tests say.
    const isLanding = (entry: Entry): boolean =>
      queue.landing?.changes?.some(({ entryId }) => entryId === entry.id) ?? false;
    const isBelowItsNeed = (entry: Entry, at: number): boolean =>
      !isLanding(entry) &&
      (entry.needs ?? []).some((need) => tree.slice(at + 1).some((other) => other?.number === need.number));
    if (day.scheduling === 'flow' && tree.some((entry, at) => entry && isBelowItsNeed(entry, at)))
      day.fail('tests a dependency on top of its dependant');
  }

  mayLand(command: LandRun): void {
    const { queue } = this.day;
    if (queue.state === 'paused') this.day.fail('merges while paused');
    this.mayLandNow(command);
    this.hasWhatItNeeds(command);
    for (const run of queue.runs) {
      const isTested = run.phase === 'building' || run.phase === 'testing';
      if (!run.flow?.isUrgent || run.flow.role !== 'alone' || !isTested || run.base.epoch !== queue.epoch) continue;
      const content = [...run.builtOn, ...run.own];
      const isInside = command.changes.every((change) => content.some((other) => other.entryId === change.entryId));
      if (isInside) continue;
      const isPast = run.own.some(
        (head) => this.isFirstTest(head) && !command.changes.some((c) => c.number === head.number),
      );
      if (isPast) this.day.fail('merges ahead of an urgent entry under test');
    }
  }

  private isFirstTest(head: QueuedHead): boolean {
    const entry = openEntry(this.day.queue, head);
    return entry !== null && !entry.dryRun && (entry.flow?.reds ?? 0) === 0;
  }

  /** Checks the owner's freezes and merge limit, and what the host says about each pull request. */
  private mayLandNow({ changes }: LandRun): void {
    const { day } = this;
    const entries = changes.flatMap(({ number }) => day.store.entryOf(number) ?? []);
    if (entries.some(({ dryRun }) => dryRun)) day.fail('merges a dry run');
    if (entries.some(({ state }) => state === 'not_ready')) day.fail('merges an entry that is not ready');
    if (entries.some(({ pullRequest }) => (pullRequest.unmet ?? []).length > 0))
      day.fail('merges an entry with an unmet demand of the host');
    for (const { from, until, exceptPriorityAtMost: best } of day.store.freezes)
      if (from <= day.now && day.now < until && entries.some(({ priority }) => best === null || priority > best))
        day.fail('merges in a freeze');
    const { maxMergesPerHour: most } = day.queue.settings;
    const lately = this.landings.filter((at) => at > day.now - HOUR).length;
    if (most !== null && lately > 0 && lately + changes.length > most) day.fail('merges more than the hourly limit');
  }

  private hasWhatItNeeds({ changes }: LandRun): void {
    const { day } = this;
    const there = [...day.host.target, ...changes.map(pieceOf)];
    const numbers = new Set(there.map(numberIn));
    const heads = there.map(headIn);
    for (const { number, head } of changes) {
      if (day.people.needsOf(number).some((needed) => !numbers.has(needed)))
        day.fail('merges an entry without a dependency');
      for (const needed of this.contained.get(`${number}@${head}`) ?? []) {
        // A third pull request may also bring the need, if it contains the need and was submitted after the needed
        // entry had left.
        const brings = (other: string): boolean =>
          other === needed.head || (other !== head && (this.within.get(other) ?? []).includes(needed.head));
        if (!heads.some(brings)) day.fail('merges an entry without an entry that it contains');
      }
    }
  }

  private takenUp(entryId: string, head: string): void {
    const entry = this.entryOf(entryId);
    if (!entry) return;
    const below = this.day.people.containedIn(entry.number);
    this.within.set(head, below);
    const earlier = this.day.queue.entries.filter(
      ({ id, state, submittedOrder, head: other }) =>
        id !== entryId && !isConcluded(state) && submittedOrder < entry.submittedOrder && below.includes(other),
    );
    this.contained.set(
      `${entry.number}@${head}`,
      earlier.map(({ number, head: other }) => ({ number, head: other })),
    );
  }

  landing(pieces: readonly Piece[], changes: readonly QueuedHead[], testedTree: string | null): void {
    const { day } = this;
    const tree = day.truth.treeOf(pieces);
    if (!day.host.greenTrees.has(tree)) day.fail('the target points at a tree of no passed run');
    if (tree !== testedTree) day.fail('merges another tree than was tested');
    const there = new Set(pieces.map(numberIn));
    if (there.size !== pieces.length) day.fail('merges a pull request twice');
    for (const change of changes) {
      const entry = day.store.entryOf(change.number);
      const isAsTested = entry && !isConcluded(entry.state) && (entry.generation ?? 0) === (change.generation ?? 0);
      if (!isAsTested) day.fail('an entry that left was merged');
    }
  }

  /** Finds entries that are kept from being tested although everything that they need is there. */
  heldForNothing(): void {
    const { day } = this;
    for (const entry of day.queue.entries) {
      if (entry.state !== 'not_ready') continue;
      const below = this.contained.get(`${entry.number}@${entry.head}`) ?? [];
      const isBelowThere = below.every(({ number, head }) => day.store.entryOf(number)?.head === head);
      const numbers = [...day.people.needsOf(entry.number), ...below.map(({ number }) => number)];
      const isThere = numbers.every((number) => {
        const one = day.store.entryOf(number);
        return !one || one.state === 'merged' || (!isConcluded(one.state) && one.state !== 'not_ready');
      });
      if (isThere && isBelowThere) day.fail('held for nothing');
    }
  }

  private entryOf(entryId: string): Entry | null {
    return this.day.store.entryOf(Number(entryId.slice('entry-'.length)));
  }
}

function headIn(piece: Piece): string {
  return piece.slice(piece.indexOf('@') + 1, piece.lastIndexOf('/'));
}

function beginningsOf<T>(pieces: readonly T[]): readonly (readonly T[])[] {
  return [pieces, ...pieces.map((_, i) => pieces.slice(0, i))];
}

/** The number and head of a piece, without its generation. */
function headOf(piece: Piece): string {
  return piece.slice(0, piece.lastIndexOf('/'));
}
