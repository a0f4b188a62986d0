import type { Change } from '../../../src/engine/changes';
import type { LandRun } from '../../../src/engine/commands';
import type { QueuedHead, QueueSnapshot } from '../../../src/engine/model';
import { openEntry } from '../../../src/engine/flow/heads';
import { isConcluded } from '../../../src/engine/states';
import type { Scheduling } from '../../../src/engine/vocabulary';
import type { EngineStore } from '../../../src/engine/replay/engine-store';
import { numberIn, type Piece, pieceOf, type TestOfDay, type Truth, type WhyRed } from './truth';

/** What the checks see of a day. */
interface WatchedDay {
  readonly truth: Truth;
  readonly store: EngineStore;
  readonly queue: QueueSnapshot;
  readonly outage: number;
  readonly scheduling: Scheduling;
  /** What the target was, by commit. */
  readonly tips: ReadonlyMap<string, readonly Piece[]>;
  readonly greenTrees: Set<string>;
  needsOf(number: number): readonly number[];
  fail(what: string): never;
}

interface RedAloneSeen {
  readonly on: readonly Piece[];
  readonly why: WhyRed | null;
  /** The outage that it was in; 0: none. */
  readonly outage: number;
}

/** Reds of one outage from which on nobody may fail by it alone. */
const OUTAGE = 4;

/** What must never happen, judged by the truth and by what the world saw, not by the queue's records. */
export class FlowChecks {
  readonly tally = { merged: 0, failed: 0, innocents: 0 };
  private readonly redsAlone = new Map<Piece, RedAloneSeen[]>();
  private readonly redsIn = new Map<number, number>();
  private readonly hasPassedSince = new Set<number>();
  private outages = 0;

  constructor(private readonly day: WatchedDay) {}

  result(test: TestOfDay, why: WhyRed | null, isGreen: boolean): void {
    const { outage, truth, greenTrees } = this.day;
    this.outages = Math.max(this.outages, outage);
    if (outage > 0) this.redsIn.set(outage, (this.redsIn.get(outage) ?? 0) + 1);
    else if (isGreen) for (let past = 1; past <= this.outages; past++) this.hasPassedSince.add(past);
    if (isGreen) greenTrees.add(truth.treeOf(test.pieces));
    const [only, ...others] = test.own;
    if (isGreen || only === undefined || others.length > 0) return;
    const on = test.pieces.slice(0, -1);
    this.redsAlone.set(only, [...(this.redsAlone.get(only) ?? []), { on, why, outage }]);
  }

  note(change: Change): void {
    if (change.type !== 'entryMoved') return;
    if (change.to === 'merged') this.tally.merged++;
    if (change.to !== 'failed') return;
    this.tally.failed++;
    if (change.because?.startsWith('test_run_')) this.failedByTests(change.entryId);
  }

  private failedByTests(entryId: string): void {
    const { day } = this;
    const entry = day.store.entryOf(Number(entryId.slice('entry-'.length)));
    if (!entry) return;
    const hasFlow = day.scheduling === 'flow';
    // In order, what lands from behind a dry run is no part of its verdict: the tree may have been passed over.
    const wasPassed = entry.dryRun && !hasFlow;
    const targets = [...day.tips.values()].flatMap((pieces) => (wasPassed ? beginningsOf(pieces) : [pieces]));
    const known = new Set(targets.map((pieces) => day.truth.treeOf(pieces)));
    const piece = pieceOf(entry);
    const reds = (this.redsAlone.get(piece) ?? []).filter(({ on }) => known.has(day.truth.treeOf(on)));
    if (reds.length < (day.truth.isFlaky && hasFlow ? 2 : 1)) day.fail('failed without a red test alone on the target');
    if (reds.every(({ why }) => why === 'need')) day.fail('failed for the lack of what it needs');
    if (reds.some(({ why }) => why !== null)) return;
    this.tally.innocents++;
    const [first] = reds;
    const isOneOutage = reds.every(({ outage }) => outage === first!.outage) && first!.outage > 0;
    if (day.truth.isFlaky || !isOneOutage || !hasFlow) return;
    if ((this.redsIn.get(first!.outage) ?? 0) >= OUTAGE && this.hasPassedSince.has(first!.outage))
      day.fail('an innocent failed in an outage');
  }

  mayLand(command: LandRun): void {
    const { queue } = this.day;
    if (queue.state === 'paused') this.day.fail('lands while paused');
    for (const run of queue.runs) {
      const isTested = run.phase === 'building' || run.phase === 'testing';
      if (!run.flow?.isUrgent || run.flow.role !== 'alone' || !isTested || run.base.epoch !== queue.epoch) continue;
      const content = [...run.builtOn, ...run.own];
      const isInside = command.changes.every((change) => content.some((other) => other.entryId === change.entryId));
      if (isInside) continue;
      const isPast = run.own.some(
        (head) => this.isFirstTest(head) && !command.changes.some((c) => c.number === head.number),
      );
      if (isPast) this.day.fail('lands past an urgent one under test');
    }
  }

  private isFirstTest(head: QueuedHead): boolean {
    const entry = openEntry(this.day.queue, head);
    return entry !== null && !entry.dryRun && (entry.flow?.reds ?? 0) === 0;
  }

  landing(pieces: readonly Piece[], changes: readonly QueuedHead[], testedTree: string | null): void {
    const { day } = this;
    const tree = day.truth.treeOf(pieces);
    if (!day.greenTrees.has(tree)) day.fail('the target points at a tree that no green run had');
    if (tree !== testedTree) day.fail('lands another tree than was tested');
    const there = new Set(pieces.map(numberIn));
    if (there.size !== pieces.length) day.fail('lands a pull request twice');
    for (const change of changes) {
      const entry = day.store.entryOf(change.number);
      const isAsTested = entry && !isConcluded(entry.state) && (entry.generation ?? 0) === (change.generation ?? 0);
      if (!isAsTested) day.fail('one that left landed');
      if (day.needsOf(change.number).some((needed) => !there.has(needed))) day.fail('landed without what it needs');
    }
  }

  /** It waits for what it needs, although that is there. */
  heldForNothing(): void {
    const { day } = this;
    for (const entry of day.queue.entries) {
      if (entry.state !== 'not_ready') continue;
      const needed = day.needsOf(entry.number).map((number) => day.store.entryOf(number));
      const isThere = needed.every(
        (one) => !one || one.state === 'merged' || (!isConcluded(one.state) && one.state !== 'not_ready'),
      );
      if (isThere) day.fail('held for nothing');
    }
  }
}

function beginningsOf<T>(pieces: readonly T[]): readonly (readonly T[])[] {
  return [pieces, ...pieces.map((_, i) => pieces.slice(0, i))];
}
