import type { LandRun, StartTestRun } from '../../../src/engine/commands';
import type { LandingRefusal, NotStarted, QueueEvent } from '../../../src/engine/events';
import { isFlow } from '../../../src/engine/flow-facts/scheduling';
import type { QueueSnapshot, Tip } from '../../../src/engine/model';
import type { Instant } from '../../../src/engine/vocabulary';
import type { EngineStore } from '../../../src/processing/replay/engine-store';
import type { Dice } from '../oracle/random';
import type { FlowChecks } from './flow-checks';
import type { PeopleOfDay } from './people-of-day';
import { numberIn, type Piece, pieceOf, type TestOfDay, type Truth } from './truth';

type Errand =
  | { readonly at: 'build'; readonly command: StartTestRun }
  | { readonly at: 'result' | 'again'; readonly test: TestOfDay }
  | { readonly at: 'land'; readonly command: LandRun }
  | { readonly at: 'look' };

interface DayWithHost {
  readonly dice: Dice;
  readonly truth: Truth;
  readonly store: EngineStore;
  readonly checks: FlowChecks;
  readonly people: PeopleOfDay;
  readonly queue: QueueSnapshot;
  readonly now: Instant;
  readonly outage: number;
  send(event: QueueEvent): void;
  fail(what: string): never;
}

const LOST_AT_MOST = 2;

/** The code host and the CI of a day. The host and CI carry out their tasks in any order. */
export class HostOfDay {
  /** The content that the target had at each of its commits. */
  readonly tips = new Map<string, readonly Piece[]>();
  readonly greenTrees = new Set<string>();
  target: readonly Piece[] = [];
  private readonly errands: Errand[] = [];
  private readonly losses = new Map<number, number>();
  private moves = 0;
  private pushes = 0;

  constructor(private readonly day: DayWithHost) {
    this.greenTrees.add(day.truth.treeOf([]));
    this.move([]);
  }

  get isBusy(): boolean {
    return this.errands.length > 0;
  }

  order(errand: Errand): void {
    this.errands.push(errand);
  }

  /** Carries out one of the waiting tasks. */
  work(): void {
    const [errand] = this.errands.splice(this.day.dice.below(this.errands.length), 1);
    if (errand) this.run(errand);
  }

  look(): void {
    this.day.send({ type: 'targetSeen', tip: this.tip(), seenAt: this.day.now });
  }

  tip(): Tip {
    return { commit: `target-${this.moves}`, tree: this.day.truth.treeOf(this.target) };
  }

  pushToTarget(): void {
    const pieces = [...this.target, `${1_000 + ++this.pushes}@push/0`];
    this.greenTrees.add(this.day.truth.treeOf(pieces));
    this.move(pieces);
    this.errands.push({ at: 'look' });
  }

  /** Stops the run. Sometimes the stop comes too late, and CI still reports the result. */
  stop(run: number): void {
    for (const errand of [...this.errands]) {
      const isOfRun = 'test' in errand ? errand.test.run === run : errand.at === 'build' && errand.command.run === run;
      if (isOfRun && !this.day.dice.happens(0.3)) this.errands.splice(this.errands.indexOf(errand), 1);
    }
  }

  private move(pieces: readonly Piece[]): void {
    this.target = pieces;
    this.moves++;
    this.tips.set(this.tip().commit, pieces);
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
        return this.look();
    }
  }

  private build(command: StartTestRun): void {
    const { day } = this;
    const { run } = command;
    const tip = this.tip();
    const notStarted = { type: 'runNotStarted', run, seen: [] } as const;
    if (!command.keepsBase && tip.commit !== command.target.commit && tip.tree !== command.landingTree)
      return day.send({ ...notStarted, because: { type: 'target_moved', tip, seenAt: day.now } });
    const base = this.tips.get(command.target.commit) ?? day.fail('a run on a target that never was');
    const own = command.own.map(pieceOf);
    const pieces = [...base, ...[...command.onto.contains, ...command.builtOn].map(pieceOf), ...own];
    if (new Set(pieces.map(numberIn)).size !== pieces.length) day.fail('a pull request is in a tree twice');
    const conflict = day.truth.conflictIn(pieces, base.length);
    if (conflict) return day.send({ ...notStarted, because: { type: 'conflict', ...conflict, files: ['a.txt'] } });
    const because = this.drawRefusal(command);
    if (because !== null) return day.send({ ...notStarted, because });
    const commit = `run-${run}`;
    const test: TestOfDay = { run, pieces, base: base.length, own, commit, saidNeeds: day.people.saidNeeds() };
    day.checks.built(test);
    this.errands.push({ at: 'result', test });
    const tree = day.truth.treeOf(pieces);
    const made = { commit, tree, requiredStatuses: ['ci'], source: 'merge_instance' } as const;
    day.send({ type: 'runPushed', run, branch: `testing/${run}`, ...made, at: day.now, seen: [] });
  }

  /** The host's refusal to build the tree; null if the host builds the tree. */
  private drawRefusal({ own }: StartTestRun): NotStarted | null {
    const { dice, truth } = this.day;
    if (!truth.isBusy || own.length === 0 || !dice.happens(0.08)) return null;
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
    const { dice, truth, outage, queue } = this.day;
    if (this.isLost(test)) return this.report(test, 'lost');
    if (this.isSilent()) return dice.happens(0.5) ? this.report(test, 'running') : undefined;
    const why = truth.whyRed(test.pieces, test.saidNeeds);
    const isNoise = outage > 0 || (truth.isFlaky && dice.happens(0.12));
    const isGreen = why === null && !isNoise;
    const live = queue.runs.find(({ number }) => number === test.run);
    // In sequential scheduling, the own test of a run goes on while the run lands because a later run proved it.
    const isAwaited = live?.phase === 'testing' || live?.phase === 'landing';
    if (isAwaited) this.day.checks.result(test, why, isGreen);
    if (dice.happens(0.1)) this.errands.push({ at: 'again', test });
    this.report(test, isGreen ? 'passed' : 'failed');
  }

  /**
   * Reports a result again, or reports another result later. In sequential scheduling, a later pass turns a failed run
   * into a passed one; flow scheduling ignores later results.
   */
  private reportAgain(test: TestOfDay): void {
    const { truth, queue, dice } = this.day;
    const isGreen = isFlow(queue) ? dice.happens(0.5) : truth.whyRed(test.pieces, test.saidNeeds) === null;
    if (isGreen && !isFlow(queue)) this.greenTrees.add(truth.treeOf(test.pieces));
    this.report(test, isGreen ? 'passed' : 'failed');
  }

  /** Whether CI gives up the test. No entry has so many inconclusive runs that the next one counts as a failure. */
  private isLost({ own }: TestOfDay): boolean {
    const { dice, truth } = this.day;
    if (!truth.isBusy || own.length === 0 || !dice.happens(0.05)) return false;
    const numbers = own.map(numberIn);
    if (numbers.some((number) => (this.losses.get(number) ?? 0) >= LOST_AT_MOST)) return false;
    for (const number of numbers) this.losses.set(number, (this.losses.get(number) ?? 0) + 1);
    return true;
  }

  /** Whether CI never reports how the test ended. */
  private isSilent(): boolean {
    const { dice, truth } = this.day;
    return truth.isSilent && dice.happens(0.12);
  }

  private report({ commit }: TestOfDay, state: 'passed' | 'failed' | 'lost' | 'running'): void {
    const { day } = this;
    day.store.report({ commit, kind: 'status', name: 'ci', app: null, state, reportedAt: day.now });
    day.send({ type: 'statusReported', commit });
  }

  /** The host's refusal to land the run; null if the run lands. */
  private refusalOf({ changes }: LandRun): LandingRefusal | null {
    const { dice, people, truth } = this.day;
    const demanded = changes.find(({ number }) => people.factsOf(number).unmet !== undefined);
    if (demanded) return { type: 'pull_request_changed', facts: people.factsOf(demanded.number) };
    if (!truth.isBusy || !dice.happens(truth.landsOneByOne ? 0.3 : 0.08)) return null;
    const { number } = truth.landsOneByOne ? changes.at(-1)! : changes[dice.below(changes.length)]!;
    return dice.pick<LandingRefusal>([
      { type: 'host_refused', number, why: 'a rule' },
      { type: 'head_moved', number },
      { type: 'not_yet', number, why: 'a check has not ended' },
      { type: 'pull_request_changed', facts: { ...people.factsOf(number), state: 'closed' } },
      { type: 'target_gone' },
      { type: 'tree_differs' },
    ]);
  }

  /**
   * Lands a part of a run. A host that merges one by one refuses midway if the changes before the refusal pass their
   * tests. Any other host refuses the whole run.
   */
  private landPartly(landing: number, changes: LandRun['changes'], because: LandingRefusal): void {
    const { day } = this;
    const at = 'number' in because ? changes.findIndex(({ number }) => number === because.number) : 0;
    const pieces = [...this.target, ...changes.slice(0, at).map(pieceOf)];
    const isSound = day.truth.whyRed(pieces, day.people.saidNeeds()) === null;
    if (!day.truth.landsOneByOne || at === 0 || !isSound) return day.send({ type: 'landingRefused', landing, because });
    this.greenTrees.add(day.truth.treeOf(pieces));
    this.move(pieces);
    const tip = this.tip();
    const commits = changes.slice(0, at).map(({ number }) => ({ number, ...tip }));
    day.send({ type: 'landedPartly', landing, tip, commits, because, at: day.now });
  }

  private land(command: LandRun): void {
    const { day } = this;
    const { landing, changes, expectedTip, testedTree } = command;
    const refused = { type: 'landingRefused', landing } as const;
    const tip = this.tip();
    if (tip.commit !== expectedTip.commit)
      return day.send({ ...refused, because: { type: 'target_moved', tip, seenAt: day.now } });
    const because = this.refusalOf(command);
    if (because !== null) return this.landPartly(landing, changes, because);
    const pieces = [...this.target, ...changes.map(pieceOf)];
    day.checks.landing(pieces, changes, testedTree);
    this.move(pieces);
    const made = this.tip();
    const commits = changes.map(({ number }) => ({ number, ...made }));
    day.send({ type: 'landed', landing, tip: made, commits, at: day.now });
  }
}
