import type { Change } from '../../../src/engine/changes';
import type { Command, LandRun, StartTestRun } from '../../../src/engine/commands';
import { decide } from '../../../src/engine/decide';
import type { LandingRefusal, NotStarted, QueueEvent } from '../../../src/engine/events';
import { violations } from '../../../src/engine/invariants';
import type { PullRequestFacts, QueueSnapshot, Tip } from '../../../src/engine/model';
import { isFlow } from '../../../src/engine/flow/standing';
import { FLOW_AT_START } from '../../../src/engine/flow/state';
import { comparePending, configWaitedFor } from '../../../src/engine/policy/order';
import { isConcluded } from '../../../src/engine/states';
import {
  assertNever,
  type Instant,
  MINUTE,
  type OptimizationMode,
  type RequestableQueueState,
  type Scheduling,
  SECOND,
} from '../../../src/engine/vocabulary';
import { DEFAULT_SETTINGS, emptyQueue } from '../../support/engine-snapshots';
import { EngineStore } from '../../../src/engine/replay/engine-store';
import type { GivenTargets } from '../../../src/engine/replay/target-book';
import { forbiddenMoves } from '../days/checks/transitions';
import { Dice } from '../oracle/random';
import { FlowChecks } from './flow-checks';
import { numberIn, type Piece, pieceOf, type TestOfDay, Truth } from './truth';

type Errand =
  | { readonly at: 'build'; readonly command: StartTestRun }
  | { readonly at: 'result' | 'again'; readonly test: TestOfDay }
  | { readonly at: 'land'; readonly command: LandRun }
  | { readonly at: 'look' };

export interface DayResult {
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
const LOST_AT_MOST = 2;

/** A random day of a queue that is scheduled by flow, on the real `decide`, in a world that knows the truth. */
export class FlowDay {
  readonly dice: Dice;
  readonly truth: Truth;
  readonly store: EngineStore;
  now: Instant = Date.UTC(2026, 0, 1);
  readonly tips = new Map<string, readonly Piece[]>();
  readonly greenTrees = new Set<string>();
  target: readonly Piece[] = [];
  /** 0: none now. Outages are numbered. */
  outage = 0;
  /** The scheduling in force, at the change that is looked at. */
  scheduling: Scheduling;
  private outages = 0;
  private readonly checks: FlowChecks;
  private readonly errands: Errand[] = [];
  private readonly tests = new Map<number, TestOfDay>();
  private readonly heads = new Map<number, number>();
  private readonly losses = new Map<number, number>();
  /** Numbers of what each pull request needs. */
  private readonly needs = new Map<number, readonly number[]>();
  private readonly runsOf = new Map<string, number>();
  private wakeAt: Instant | null = null;
  private events = 0;
  private runs = 0;
  private moves = 0;
  private pushes = 0;
  private next = 1;

  constructor(
    readonly seed: number,
    private readonly trace: (line: string) => void = () => undefined,
  ) {
    this.dice = new Dice(seed);
    this.truth = new Truth(this.dice);
    this.checks = new FlowChecks(this);
    const { dice } = this;
    this.scheduling = this.truth.isSwitching ? dice.pick<Scheduling>(['in_order', 'flow']) : 'flow';
    const settings = {
      ...DEFAULT_SETTINGS,
      ...this.drawSlots(),
      scheduling: this.scheduling,
      canOptimisticallyMerge: true,
      batchingMaxWaitTimeMinutes: dice.pick([0, 0, 5]),
      optimizationMode: dice.pick<OptimizationMode>(['off', 'bisection_skip_redundant_tests']),
      pendingFailureDepth: dice.pick([0, 0, 0, 2]),
    } as const;
    const known = {
      failure: dice.pick([
        { yes: 0, no: 0 },
        { yes: 10, no: 20 },
      ]),
    };
    const flake = this.truth.isFlaky ? { yes: 10, no: 100 } : { yes: 0, no: 0 };
    const flow = { ...FLOW_AT_START, learned: { ...FLOW_AT_START.learned, ...known, flake } };
    this.store = new EngineStore({ ...emptyQueue(settings, null), flow, landsWholeRuns: !this.truth.landsOneByOne });
    this.greenTrees.add(this.truth.treeOf([]));
    this.move([]);
    this.send({ type: 'targetSeen', tip: this.tip(), seenAt: this.now });
  }

  play(): DayResult {
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

  /** Numbers of what a pull request needs. */
  readonly needsOf = (number: number): readonly number[] => this.needs.get(number) ?? [];

  private drawSlots() {
    const { dice } = this;
    return {
      concurrency: 1 + dice.below(6),
      bisectionConcurrency: dice.pick(this.truth.isSwitching ? [1, 1, 2] : [0, 0, 1]),
      batch: dice.happens(0.8),
      batchingMinSize: dice.pick([2, 4, 8]),
    };
  }

  private live(): void {
    let left = this.truth.count * 4 + 20;
    while (this.events < EVENTS_AT_MOST) {
      const isDeed = left > 0 && (this.errands.length === 0 || this.dice.happens(0.35));
      if (isDeed) {
        left--;
        this.deed();
      } else if (this.errands.length > 0) {
        if (left === 0 && this.outage > 0 && this.dice.happens(0.1)) this.outage = 0;
        this.run(this.errands.splice(this.dice.below(this.errands.length), 1)[0]!);
      } else if (left === 0 && !this.comesToRest()) return;
    }
    this.fail('goes on for ever');
  }

  /** Nobody does anything any more: the queue has to come to an end by itself. */
  private comesToRest(): boolean {
    this.outage = 0;
    if (this.queue.state !== 'running') {
      this.send({ type: 'settingsChanged', settings: {}, state: 'running', actor: 'ci' });
      return true;
    }
    const tip = this.tip();
    if (this.store.tip?.commit !== tip.commit) {
      this.send({ type: 'targetSeen', tip, seenAt: this.now });
      return true;
    }
    if (this.wakeAt !== null && this.wakeAt < this.now + 3 * 60 * MINUTE) {
      this.now = Math.max(this.now, this.wakeAt);
      this.send({ type: 'clockTicked' });
      return true;
    }
    const { queue } = this;
    const put = queue.entries.find(
      ({ state, pullRequest }) => !isConcluded(state) && (pullRequest.unmet ?? []).length > 0,
    );
    if (put !== undefined) {
      this.send({ type: 'pullRequestSeen', facts: this.factsOf(put.number), pusherMayWrite: true });
      return true;
    }
    if (queue.entries.some((entry) => !isConcluded(entry.state) && configWaitedFor(queue, entry) !== null)) {
      this.pushToTarget();
      return true;
    }
    const open = this.queue.entries.filter(({ state }) => !isConcluded(state) && state !== 'not_ready');
    if (open.length > 0) this.fail(`stall: ${open.map((e) => `#${e.number} ${e.flow?.at ?? 'waiting'}`).join(', ')}`);
    this.checks.heldForNothing();
    return false;
  }

  private deed(): void {
    const { dice } = this;
    const x = dice.throw();
    const number = 1 + dice.below(Math.max(1, this.next - 1));
    if (x < 0.45 && this.next <= this.truth.count) return this.submitNext();
    if (this.truth.isSwitching && dice.happens(0.08)) return this.switchScheduling();
    if (!this.truth.isBusy) return;
    if (x < 0.5) return dice.happens(0.5) ? this.request('cancelRequested', number) : this.push(number);
    if (x < 0.55) return this.resubmit(number);
    if (x < 0.59) return this.request('restartRequested', number);
    if (x < 0.62) return this.raise(number);
    if (x < 0.66) {
      const state = dice.pick<RequestableQueueState>(['running', 'running', 'paused', 'draining']);
      return this.send({ type: 'settingsChanged', settings: {}, state, actor: 'ci' });
    }
    if (x < 0.7) return this.pushToTarget();
    if (x < 0.72) return this.send({ type: 'settingsChanged', settings: this.drawSlots(), actor: 'ci' });
    if (x < 0.75 && this.truth.hasOutages) {
      this.outage = this.outage > 0 ? 0 : ++this.outages;
      return;
    }
    if (x < 0.77) return this.send({ type: 'promotionRequested', number, actor: null });
    if (x < 0.772) return this.cancelAll();
    this.now += dice.below(3) * MINUTE;
    this.send({ type: 'clockTicked' });
  }

  private cancelAll(): void {
    const open = this.queue.entries.filter(({ state }) => !isConcluded(state));
    const numbers = open.toSorted((a, b) => comparePending(b, a)).map(({ number }) => number);
    this.send({ type: 'allCancelRequested', numbers, actor: null });
  }

  private switchScheduling(): void {
    const scheduling = this.dice.pick<Scheduling>(['in_order', 'flow']);
    this.send({ type: 'settingsChanged', settings: { scheduling }, actor: 'ci' });
  }

  private submitNext(): void {
    const { dice } = this;
    const number = this.next++;
    if (number > 1 && dice.happens(0.2)) this.needs.set(number, [1 + dice.below(number - 1)]);
    const priority = dice.happens(0.05) ? 0 : dice.pick([10, 100, 100, 200]);
    const dryRun = this.truth.count % 4 === 0 && dice.happens(0.2);
    if (this.truth.count % 3 === 0) this.store.giveTargets(number, this.factsOf(number).head, this.drawTargets());
    this.submit(number, { priority, noBatch: dice.happens(0.1), dryRun });
  }

  private drawTargets(): GivenTargets {
    const { dice } = this;
    return dice.happens(0.1) ? 'ALL' : new Set(['a', 'b', 'c'].filter(() => dice.happens(0.3)));
  }

  private submit(number: number, wishes: { priority?: number; noBatch?: boolean; dryRun?: boolean }): void {
    const newEntryId = `entry-${number}`;
    const via = { via: 'api', actor: null } as const;
    const facts = this.factsOf(number);
    this.send({ type: 'pullRequestSubmitted', newEntryId, facts, hasTargets: false, ...via, ...wishes });
  }

  private resubmit(number: number): void {
    const entry = this.store.entryOf(number);
    if (!entry || !isConcluded(entry.state) || entry.state === 'merged') return;
    if ((this.runsOf.get(entry.id) ?? 0) < 20) this.submit(number, {});
  }

  private raise(number: number): void {
    const entry = this.store.entryOf(number);
    if (entry && !isConcluded(entry.state)) this.submit(number, { priority: 0 });
  }

  private request(type: 'cancelRequested' | 'restartRequested', number: number): void {
    this.send({ type, number, via: 'api', actor: null });
  }

  private push(number: number): void {
    if (!this.store.entryOf(number)) return;
    this.heads.set(number, (this.heads.get(number) ?? 0) + 1);
    this.send({ type: 'pullRequestSeen', facts: this.factsOf(number), pusherMayWrite: true });
  }

  private pushToTarget(): void {
    const pieces = [...this.target, `${1_000 + ++this.pushes}@push/0`];
    this.greenTrees.add(this.truth.treeOf(pieces));
    this.move(pieces);
    this.errands.push({ at: 'look' });
  }

  factsOf(number: number): PullRequestFacts {
    const head = `${number}${String.fromCharCode(97 + (this.heads.get(number) ?? 0))}`;
    const names = { title: `Change ${number}`, author: 'ann', head, headBranch: null, base: 'main' };
    const dependsOn = this.needsOf(number);
    return { number, ...names, state: 'open', draft: false, mergeability: 'mergeable', dependsOn, seenAt: this.now };
  }

  tip(): Tip {
    return { commit: `target-${this.moves}`, tree: this.truth.treeOf(this.target) };
  }

  private move(pieces: readonly Piece[]): void {
    this.target = pieces;
    this.moves++;
    this.tips.set(this.tip().commit, pieces);
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
        return void this.errands.push({ at: 'build', command });
      case 'stopTestRun':
        return this.stop(command.run);
      case 'landRun':
        this.checks.mayLand(command);
        return void this.errands.push({ at: 'land', command });
      default:
        return assertNever(command);
    }
  }

  /** Now and then a stop comes too late: the result is reported all the same. */
  private stop(run: number): void {
    for (const errand of [...this.errands]) {
      const isOfRun = 'test' in errand ? errand.test.run === run : errand.at === 'build' && errand.command.run === run;
      if (isOfRun && !this.dice.happens(0.3)) this.errands.splice(this.errands.indexOf(errand), 1);
    }
  }

  private run(errand: Errand): void {
    switch (errand.at) {
      case 'build':
        return this.build(errand.command);
      case 'result':
        return this.result(errand.test);
      case 'again':
        return this.reportAgain(errand.test);
      case 'land':
        return this.land(errand.command);
      case 'look':
        return this.send({ type: 'targetSeen', tip: this.tip(), seenAt: this.now });
    }
  }

  private build(command: StartTestRun): void {
    const { run } = command;
    const tip = this.tip();
    const notStarted = { type: 'runNotStarted', run, seen: [] } as const;
    if (!command.keepsBase && tip.commit !== command.target.commit && tip.tree !== command.landingTree)
      return this.send({ ...notStarted, because: { type: 'target_moved', tip, seenAt: this.now } });
    const base = this.tips.get(command.target.commit) ?? this.fail('a run on a target that never was');
    const own = command.own.map(pieceOf);
    const pieces = [...base, ...[...command.onto.contains, ...command.builtOn].map(pieceOf), ...own];
    if (new Set(pieces.map(numberIn)).size !== pieces.length) this.fail('a pull request is in a tree twice');
    const conflict = this.truth.conflictIn(pieces, base.length);
    if (conflict) return this.send({ ...notStarted, because: { type: 'conflict', ...conflict, files: ['a.txt'] } });
    const because = this.drawRefusal(command);
    if (because !== null) return this.send({ ...notStarted, because });
    const commit = `run-${run}`;
    const test: TestOfDay = { run, pieces, base: base.length, own, commit };
    this.tests.set(run, test);
    this.errands.push({ at: 'result', test });
    const made = {
      commit,
      tree: this.truth.treeOf(pieces),
      requiredStatuses: ['ci'],
      source: 'merge_instance',
    } as const;
    this.send({ type: 'runPushed', run, branch: `testing/${run}`, ...made, at: this.now, seen: [] });
  }

  /** What the host may say instead of building the tree; null: it builds it. */
  private drawRefusal({ own }: StartTestRun): NotStarted | null {
    const { dice } = this;
    if (!this.truth.isBusy || own.length === 0 || !dice.happens(0.05)) return null;
    const numbers = [own[dice.below(own.length)]!.number];
    const details = 'a rule';
    return dice.pick<NotStarted>([
      { type: 'mergeability_unknown', numbers },
      { type: 'not_mergeable', numbers },
      { type: 'config_unreadable', numbers, problem: details },
      { type: 'entry_refused', number: dice.pick([null, numbers[0]!]), details },
      { type: 'refused', reason: 'start_test_run_refused', details },
    ]);
  }

  private result(test: TestOfDay): void {
    if (this.isLost(test)) return this.report(test, 'lost');
    const why = this.truth.whyRed(test.pieces, this.needsOf);
    const isNoise = this.outage > 0 || (this.truth.isFlaky && this.dice.happens(0.12));
    const isGreen = why === null && !isNoise;
    const live = this.queue.runs.find(({ number }) => number === test.run);
    // In order, the test of what another run proved goes on while that lands.
    const isAwaited = live?.phase === 'testing' || live?.phase === 'landing';
    if (isAwaited) this.checks.result(test, why, isGreen);
    if (this.dice.happens(0.1)) this.errands.push({ at: 'again', test });
    this.report(test, isGreen ? 'passed' : 'failed');
  }

  /** A result comes twice, or another one later. In order, a test that was repeated makes a red run pass; in flow it means nothing. */
  private reportAgain(test: TestOfDay): void {
    const { truth, queue } = this;
    const isGreen = isFlow(queue) ? this.dice.happens(0.5) : truth.whyRed(test.pieces, this.needsOf) === null;
    if (isGreen && !isFlow(queue)) this.greenTrees.add(truth.treeOf(test.pieces));
    this.report(test, isGreen ? 'passed' : 'failed');
  }

  /** CI gives it up. Nobody loses so many tests that the next loss counts as a failure. */
  private isLost({ own }: TestOfDay): boolean {
    if (!this.truth.isBusy || own.length === 0 || !this.dice.happens(0.05)) return false;
    const numbers = own.map(numberIn);
    if (numbers.some((number) => (this.losses.get(number) ?? 0) >= LOST_AT_MOST)) return false;
    for (const number of numbers) this.losses.set(number, (this.losses.get(number) ?? 0) + 1);
    return true;
  }

  private report({ commit }: TestOfDay, state: 'passed' | 'failed' | 'lost'): void {
    this.store.report({ commit, kind: 'status', name: 'ci', app: null, state, reportedAt: this.now });
    this.send({ type: 'statusReported', commit });
  }

  /** What the host may say instead of landing it; null: it lands. */
  private drawLandingRefusal(changes: LandRun['changes']): LandingRefusal | null {
    const { dice } = this;
    if (!this.truth.isBusy || !dice.happens(this.truth.landsOneByOne ? 0.3 : 0.08)) return null;
    const { number } = this.truth.landsOneByOne ? changes.at(-1)! : changes[dice.below(changes.length)]!;
    return dice.pick<LandingRefusal>([
      { type: 'host_refused', number, why: 'a rule' },
      { type: 'head_moved', number },
      { type: 'not_yet', number, why: 'a check has not ended' },
      { type: 'pull_request_changed', facts: { ...this.factsOf(number), state: 'closed' } },
      { type: 'target_gone' },
      { type: 'tree_differs' },
    ]);
  }

  /** A host that merges one by one refuses midway, if what is there by then is sound; any other host refuses all of it. */
  private landPartly(landing: number, changes: LandRun['changes'], because: LandingRefusal): void {
    const at = 'number' in because ? changes.findIndex(({ number }) => number === because.number) : 0;
    const pieces = [...this.target, ...changes.slice(0, at).map(pieceOf)];
    const isSound = this.truth.whyRed(pieces, this.needsOf) === null;
    if (!this.truth.landsOneByOne || at === 0 || !isSound)
      return this.send({ type: 'landingRefused', landing, because });
    this.greenTrees.add(this.truth.treeOf(pieces));
    this.move(pieces);
    const tip = this.tip();
    const commits = changes.slice(0, at).map(({ number }) => ({ number, ...tip }));
    this.send({ type: 'landedPartly', landing, tip, commits, because, at: this.now });
  }

  private land({ landing, changes, expectedTip, testedTree }: LandRun): void {
    const refused = { type: 'landingRefused', landing } as const;
    const tip = this.tip();
    if (tip.commit !== expectedTip.commit)
      return this.send({ ...refused, because: { type: 'target_moved', tip, seenAt: this.now } });
    const because = this.drawLandingRefusal(changes);
    if (because !== null) return this.landPartly(landing, changes, because);
    const pieces = [...this.target, ...changes.map(pieceOf)];
    this.checks.landing(pieces, changes, testedTree);
    this.move(pieces);
    const made = this.tip();
    const commits = changes.map(({ number }) => ({ number, ...made }));
    this.send({ type: 'landed', landing, tip: made, commits, at: this.now });
  }
}

function describeStep(event: QueueEvent, changes: readonly Change[]): string {
  return `${JSON.stringify(event)}\n${changes.map((change) => `    ${JSON.stringify(change)}`).join('\n')}`;
}
