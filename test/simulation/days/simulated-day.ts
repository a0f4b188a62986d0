import type { LandRun, StartTestRun } from '../../../src/engine/commands';
import { decide } from '../../../src/engine/decide';
import type { Decided } from '../../../src/engine/decision';
import type { QueueEvent } from '../../../src/engine/events';
import { violations } from '../../../src/engine/invariants';
import type { Entry, QueueSnapshot } from '../../../src/engine/model';
import { isConcluded } from '../../../src/engine/states';
import { type Instant, MINUTE, type QueueMode, SECOND } from '../../../src/engine/vocabulary';
import { EngineHost, type HostKnowledge, nameOf, type Tree } from '../../support/engine-host';
import { emptyQueue } from '../../support/engine-snapshots';
import { EngineStore } from '../../support/engine-store';
import { shares } from '../../support/impacted-targets';
import { LandingCheck } from '../../support/landing-check';
import { Chance } from './chance';
import { FateCheck, movesTo } from './checks/fate-check';
import { JusticeCheck } from './checks/justice-check';
import { OrderCheck } from './checks/order-check';
import { SlotsCheck } from './checks/slots-check';
import { forbiddenMoves } from './checks/transitions';
import { CodeWorld } from './code-world';
import { Diary } from './diary';
import { HostEvents } from './host-events';
import { Commands } from './commands';
import { People } from './people';
import { DAY_MINUTES, type DayPlan } from './plan';
import { SimulatedCi } from './simulated-ci';
import { count, emptyTally, note, type Tally } from './tally';
import { Time } from './time';

export interface DayResult {
  readonly problems: readonly string[];
  readonly events: number;
  readonly submissions: number;
  readonly runs: number;
  readonly landed: number;
  /** Runs after the last event of people, and how many entries were open by then. */
  readonly calm: { readonly runs: number; readonly open: number };
  readonly tally: Tally;
  readonly diary: readonly string[];
}

/** Days in which nobody does anything any more, for the queue to empty. */
const LAST_MINUTE = 6 * DAY_MINUTES;
/** Decisions at one instant: more of them never come to rest. */
const AT_ONE_INSTANT = 2_000;
const SHOW_EVERY = 40;
const TO_LOOK_AFTER_TARGET = 10 * MINUTE;

/** One day of one queue in a simulated world: 24 hours in which people act, then rest until the queue is empty. */
export class SimulatedDay {
  private readonly time = new Time();
  private readonly chance: Chance;
  private readonly host: EngineHost;
  private readonly store: EngineStore;
  private readonly code: CodeWorld;
  private readonly ci: SimulatedCi;
  private readonly hostEvents: HostEvents;
  private readonly commands: Commands;
  private readonly people: People;
  private readonly landings: LandingCheck;
  private readonly slots: SlotsCheck;
  private readonly justice: JusticeCheck;
  private readonly fates: FateCheck;
  private readonly order: OrderCheck;
  private readonly diary = new Diary(() => this.time.shown());
  private readonly tally = emptyTally();
  private readonly problems: string[] = [];
  private readonly knowledge: HostKnowledge;
  private readonly pushed = new Set<number>();
  private wakeAt: Instant | null = null;
  private events = 0;
  private submissions = 0;
  private atThisInstant = { now: 0, decisions: 0 };
  private calm = { runs: 0, open: 0 };

  constructor(private readonly plan: DayPlan) {
    this.chance = new Chance(plan.seed);
    this.host = new EngineHost(plan.treeOrder);
    this.host.statusesInFile = plan.statusesInFile;
    this.host.protectedStatuses = plan.protectedStatuses;
    this.code = new CodeWorld(plan.code);
    this.store = new EngineStore(queueOf(plan, this.host));
    this.knowledge = {
      knownResult: (tree, statuses, since) => this.store.results.of(tree, statuses, since),
      hasPassed: (commit, name) => this.verdictOf(commit, name) === 'passed',
    };
    const tell = (event: QueueEvent): void => this.tell(event);
    this.ci = new SimulatedCi(plan.ci, plan.noise, this.chance, this.time, (report, job) => {
      if (report.state === 'passed') this.landings.passed(report.commit, job.tree, report.name);
      // On a pull request's own head: nobody decides anything because of it, but a direct merge looks at it.
      if (this.host.candidates.has(report.commit)) this.hostEvents.statusReported(report);
      else this.store.report(report);
    });
    const doubt = (commit: string): void => this.ci.doubt(commit);
    this.hostEvents = new HostEvents(plan.noise, this.chance, this.time, this.host, this.store, tell, doubt);
    const { noise, landsWholeRuns } = plan;
    this.commands = new Commands(
      ...([
        noise,
        this.chance,
        this.time,
        this.host,
        this.store,
        this.hostEvents,
        this.knowledge,
        landsWholeRuns,
      ] as const),
      {
        tell,
        started: (command, outcome) => this.started(command, outcome),
        stopped: (run) => this.ci.stop(this.justice.commitOf(run) ?? ''),
        landed: (command, before) => this.landed(command, before),
        landedPartly: (command, before, landed) => this.landedPartly(command, before, landed),
      },
    );
    this.people = new People(this.time, this.host, this.store, this.code, this.hostEvents, tell, (n) =>
      this.testHead(n),
    );
    this.landings = new LandingCheck(this.host);
    this.slots = new SlotsCheck(plan.settings, plan.limits, (commit, name) => this.verdictOf(commit, name));
    this.justice = new JusticeCheck(this.host, this.code, (commit) => this.ci.isHonest(commit));
    this.fates = new FateCheck(this.host, this.store);
    this.order = new OrderCheck(plan.settings, plan.limits, plan.landsWholeRuns);
  }

  run(): DayResult {
    const numbers = new Set(this.plan.deeds.flatMap((deed) => ('number' in deed ? deed.number : [])));
    for (const number of numbers) this.people.open(number);
    for (const deed of this.plan.deeds)
      this.time.at(this.time.atMinute(deed.atMinute), () => {
        this.diary.deed(deed);
        this.people.play(deed);
      });
    this.time.at(this.time.atMinute(DAY_MINUTES), () => this.rest());
    while (this.problems.length === 0 && this.step()) this.gatherProblems();
    if (this.problems.length === 0) {
      this.fates.settled(this.time.now);
      this.gatherProblems();
    }
    const { events, submissions, tally } = this;
    const landed = this.host.target.filter((name) => name.includes('@')).length;
    const diary = this.diary.lines;
    const { runs } = this.slots;
    const calm = { runs: this.calm.runs + runs, open: this.calm.open };
    return { problems: this.problems, events, submissions, runs, landed, calm, tally, diary };
  }

  private step(): boolean {
    const next = this.time.next();
    if (this.wakeAt !== null && (next === null || this.wakeAt <= next)) {
      this.time.now = Math.max(this.time.now, this.wakeAt);
      this.tell({ type: 'clockTicked' });
      return true;
    }
    const isOver = this.time.minute > DAY_MINUTES && this.openEntries().length === 0 && this.commands.count === 0;
    return !isOver && this.time.minute < LAST_MINUTE && this.time.step();
  }

  /** Everybody goes home: the queue runs, and its host has nothing against anybody any more. */
  private rest(): void {
    this.people.play({ type: 'state', state: 'running', atMinute: DAY_MINUTES });
    this.people.play({ type: 'configFile', statuses: [], atMinute: DAY_MINUTES });
    for (const { number } of this.openEntries())
      this.people.play({ type: 'mergeability', number, value: 'mergeable', atMinute: DAY_MINUTES });
    this.calm = { runs: -this.slots.runs, open: this.openEntries().length };
  }

  private tell(event: QueueEvent): void {
    if (this.problems.length > 0) return;
    this.events++;
    if (this.time.isNoisy && this.chance.happens(this.plan.noise.decisionLost, 'decision lost', this.events)) {
      const again = this.chance.between(SECOND, MINUTE, 'again', this.events);
      return this.time.in(again, () => this.tell(event));
    }
    if (event.type === 'pullRequestSubmitted') this.submissions++;
    this.diary.event(event);
    const { mode } = this.store;
    const decided = this.decide(event);
    if (decided === null) return;
    this.diary.decided(decided.changes, decided.commands);
    this.wakeAt = decided.wakeAt;
    this.check(event, decided, mode);
    for (const command of decided.commands) {
      if (command.type === 'landRun') this.landings.ordered(command, (one, other) => this.share(one, other));
      this.commands.give(command);
    }
    if (decided.wakeAt !== null && decided.wakeAt <= this.time.now) this.again(event, decided);
  }

  private decide(event: QueueEvent): Decided | null {
    const before = this.store.load(event, this.time.now);
    try {
      const decision = decide(before, event, this.time.now);
      if (decision.type === 'refused') {
        count(this.tally.refusals, decision.refusal.code);
        this.diary.refused(decision.refusal);
        return null;
      }
      for (const violation of violations(before, decision)) this.problem(`invariant: ${violation}`);
      this.store.save(decision);
      return decision;
    } catch (error) {
      this.problem(`the engine broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return null;
    }
  }

  private again(event: QueueEvent, decided: Decided): void {
    const { now } = this.time;
    const others = this.atThisInstant.now === now ? this.atThisInstant.decisions : 0;
    this.atThisInstant = { now, decisions: others + 1 };
    if (event.type === 'clockTicked' && decided.changes.length === 0)
      return this.problem('wants to decide again at once, although nothing changed');
    if (others > AT_ONE_INSTANT) return this.problem(`decides for ever at ${this.time.shown()}`);
    this.tell({ type: 'clockTicked' });
  }

  private check(event: QueueEvent, { changes, commands, after }: Decided, mode: QueueMode): void {
    note(this.tally, changes);
    if (changes.some((change) => change.type === 'partJudged' && change.problem !== null)) this.lookAfterTarget();
    for (const forbidden of forbiddenMoves(changes)) this.problem(forbidden);
    this.slots.decided(event, changes, commands, this.time.now);
    this.order.decided(event, changes, commands, this.time.now);
    if (event.type === 'pullRequestSubmitted') this.fates.accepted(event.facts.number);
    const entryOf = (id: string): Entry | undefined => after.entries.find((entry) => entry.id === id);
    for (const move of movesTo(changes, 'failed')) this.justice.failed(move, entryOf(move.entryId)!, after.tip, mode);
    for (const move of movesTo(changes, 'merged', 'failed', 'cancelled'))
      this.fates.concluded(move, entryOf(move.entryId)!);
    if (this.events % SHOW_EVERY === 0) this.fates.visible(this.time.now);
  }

  /** The queue paused itself: people look at it, and take the target as it is. */
  private lookAfterTarget(): void {
    this.time.in(TO_LOOK_AFTER_TARGET, () =>
      this.people.play({ type: 'state', state: 'running', atMinute: this.time.minute }),
    );
  }

  private started(command: StartTestRun, outcome: QueueEvent): void {
    if (outcome.type !== 'runPushed' && outcome.type !== 'runResultKnown') return;
    this.justice.started(command.run, outcome.commit, this.slots.isOfSearch(command.run));
    if (outcome.type === 'runResultKnown') return this.inheritDoubt(command, outcome);
    if (this.pushed.has(command.run)) return;
    this.pushed.add(command.run);
    const { tree } = this.host.candidates.get(outcome.commit)!;
    const timeout = this.plan.settings.testingTimeoutMinutes * MINUTE;
    const job = { name: `run ${command.run}`, commit: outcome.commit, tree, timeout };
    this.ci.test({ ...job, isRed: this.code.isRed(tree) });
  }

  /** What is known from a run that CI was wrong about is as doubtful as that. */
  private inheritDoubt(command: StartTestRun, outcome: Extract<QueueEvent, { type: 'runResultKnown' }>): void {
    const known = this.store.results.of(outcome.tree, outcome.requiredStatuses, command.reuseSince ?? 0);
    const commit = this.justice.commitOf(known?.run ?? 0);
    if (commit === null || !this.ci.isHonest(commit)) this.ci.doubt(outcome.commit);
  }

  private landed(command: LandRun, before: Tree): void {
    this.fates.landedByQueue(command.changes.map(nameOf));
    const statuses = this.host.requiredOfHead(command.direct?.requiredStatuses ?? []);
    this.landings.landed(command, before, statuses);
  }

  private landedPartly(command: LandRun, before: Tree, landed: number): void {
    this.fates.landedByQueue(command.changes.slice(0, landed).map(nameOf));
    this.landings.landedPartly(command, before, landed);
  }

  private testHead(number: number): void {
    const { head } = this.host.pullRequest(number);
    const tree = this.host.headTree(number);
    const job = { name: `head ${head}`, commit: head, tree, isRed: this.code.isRed(tree) };
    this.ci.test({ ...job, timeout: this.plan.settings.testingTimeoutMinutes * MINUTE });
  }

  private share(one: string, other: string): boolean {
    const [a, b] = [one, other].map((name) => {
      const [number, head] = name.split('@');
      return this.store.targets.of(Number(number), head ?? '');
    });
    return shares(a, b);
  }

  private verdictOf(commit: string, name: string): 'passed' | 'failed' | 'open' {
    const states = this.store
      .reportsOn(commit)
      .filter((report) => report.name === name)
      .map((report) => report.state);
    if (states.includes('failed')) return 'failed';
    return states.length > 0 && states.every((state) => state === 'passed') ? 'passed' : 'open';
  }

  private openEntries(): readonly Entry[] {
    return [...this.store.all].filter((entry) => !isConcluded(entry.state));
  }

  private problem(problem: string): void {
    this.problems.push(problem);
    this.diary.problem(problem);
  }

  private gatherProblems(): void {
    const found = [this.landings, this.slots, this.justice, this.fates, this.order].flatMap(({ problems }) =>
      problems.splice(0),
    );
    for (const problem of found) this.problem(problem);
    if (this.time.minute > DAY_MINUTES && this.calm.open > 0) this.expectFewRuns();
  }

  /** n entries cost at most so many runs when nobody disturbs them: more is a queue that runs in circles. */
  private expectFewRuns(): void {
    const { open } = this.calm;
    const runs = this.calm.runs + this.slots.runs;
    if (runs > 10 + 2 * open * open) this.problem(`${runs} runs for ${open} entries that nobody touches`);
  }
}

function queueOf({ settings, mode, limits, landsWholeRuns }: DayPlan, host: EngineHost): QueueSnapshot {
  return { ...emptyQueue(settings, host.tip()), mode, limits, landsWholeRuns };
}
