import type { LandRun, StartTestRun } from '../../../src/engine/commands';
import { decide } from '../../../src/engine/decide';
import type { Decided } from '../../../src/engine/decision';
import type { QueueEvent } from '../../../src/engine/events';
import { violations } from '../../../src/engine/invariants';
import type { Entry, QueueSnapshot } from '../../../src/engine/model';
import { isConcluded } from '../../../src/engine/states';
import { type Instant, MINUTE, SECOND } from '../../../src/engine/vocabulary';
import { EngineHost, type HostKnowledge, nameOf, type PullRequestDay, type Tree } from '../../support/engine-host';
import { emptyQueue } from '../../support/engine-snapshots';
import { EngineStore } from '../../support/engine-store';
import { shares } from '../../support/impacted-targets';
import type { Chance } from './chance';
import type { AuthorityCheck } from './checks/authority-check';
import { QueueChecks } from './checks/queue-checks';
import type { CodeWorld } from './code-world';
import { Commands } from './commands';
import type { Diary } from './diary';
import { HostEvents } from './host-events';
import type { DayPlan } from './plan';
import type { ServiceLife } from './service-life';
import { type Job, SimulatedCi } from './simulated-ci';
import { count, note, type Tally } from './tally';
import type { Time } from './time';

/** What the queues of a day have in common. */
export interface Surroundings {
  readonly plan: DayPlan;
  readonly time: Time;
  readonly code: CodeWorld;
  readonly life: ServiceLife;
  readonly diary: Diary;
  readonly tally: Tally;
  readonly pullRequests: Map<number, PullRequestDay>;
  readonly authority: AuthorityCheck;
  problem(problem: string): void;
  /** CI says something of a pull request's own head. */
  headReported(report: Parameters<EngineStore['report']>[0]): void;
}

/** Decisions at one instant: more of them never come to rest. */
const AT_ONE_INSTANT = 2_000;
const SHOW_EVERY = 40;
const TO_LOOK_AFTER_TARGET = 10 * MINUTE;

/** One queue of a day, with its target, its CI and everything that checks it. It may be deleted and made anew. */
export class QueueAtWork {
  readonly host: EngineHost;
  readonly store: EngineStore;
  readonly hostEvents: HostEvents;
  readonly commands: Commands;
  readonly checks: QueueChecks;
  wakeAt: Instant | null = null;
  events = 0;
  submissions = 0;
  private readonly ci: SimulatedCi;
  private readonly pushed = new Set<number>();
  private readonly knowledge: HostKnowledge;
  private atThisInstant = { now: 0, decisions: 0 };
  private isDeleted = false;

  constructor(
    private readonly around: Surroundings,
    readonly branch: string,
    private readonly chance: Chance,
  ) {
    const { plan, time, code, life } = around;
    this.host = new EngineHost(plan.treeOrder, branch, around.pullRequests);
    this.host.statusesInFile = plan.statusesInFile;
    this.host.protectedStatuses = plan.protectedStatuses;
    this.store = new EngineStore(this.emptyQueue());
    this.knowledge = {
      knownResult: (tree, statuses, since) => this.store.results.of(tree, statuses, since),
      hasPassed: (commit, name) => this.verdictOf(commit, name) === 'passed',
    };
    this.ci = new SimulatedCi(plan.ci, plan.noise, chance, time, (report, job) => {
      if (report.state === 'passed') this.checks.landings.passed(report.commit, job.tree, report.name);
      // On a pull request's own head: nobody decides anything because of it, but a direct merge looks at it.
      if (this.host.candidates.has(report.commit)) this.hostEvents.statusReported(report);
      else around.headReported(report);
    });
    const tell = (event: QueueEvent): void => this.tell(event);
    const doubt = (commit: string): void => this.ci.doubt(commit);
    this.hostEvents = new HostEvents(plan.noise, chance, time, this.host, this.store, life, tell, doubt);
    this.commands = new Commands(
      { noise: plan.noise, landsWholeRuns: plan.landsWholeRuns, chance, time, life },
      { host: this.host, store: this.store, hostEvents: this.hostEvents, knowledge: this.knowledge },
      {
        tell,
        started: (command, outcome) => this.started(command, outcome),
        stopped: (run) => this.stopped(run),
        landed: (command, before) => this.landed(command, before),
        landedPartly: (command, before, landed) => this.landedPartly(command, before, landed),
      },
    );
    const verdictOf = (commit: string, name: string): Verdict => this.verdictOf(commit, name);
    this.checks = new QueueChecks(plan, this.host, this.store, {
      code,
      life,
      verdictOf,
      isHonest: (commit) => this.ci.isHonest(commit),
    });
    life.onStart(() => this.start());
  }

  /** While it is deleted nobody answers. */
  tell(event: QueueEvent): void {
    if (this.isDeleted) return;
    const { life, plan, time } = this.around;
    // What came of a task is stored, and decided on when the service runs again.
    if (life.isDown) return life.whenUp(() => this.tell(event));
    this.events++;
    if (time.isNoisy && this.chance.happens(plan.noise.decisionLost, 'decision lost', this.events)) {
      const again = this.chance.between(SECOND, MINUTE, 'again', this.events);
      return time.in(again, () => this.tell(event));
    }
    if (event.type === 'pullRequestSubmitted') {
      this.submissions++;
      this.around.authority.submitted(event.facts);
    }
    this.around.diary.event(event, this.branch);
    const { mode } = this.store;
    const now = this.clockOfProcess(event);
    const decided = this.decide(event, now);
    if (decided === null) return;
    this.around.diary.decided(decided.changes, decided.commands);
    this.wakeAt = decided.wakeAt;
    note(this.around.tally, decided.changes);
    this.checks.decided({ event, decided, mode, now });
    if (decided.changes.some((change) => change.type === 'partJudged' && change.problem !== null))
      this.lookAfterTarget();
    if (this.events % SHOW_EVERY === 0) this.checks.fates.visible(now);
    for (const command of decided.commands) {
      if (command.type === 'landRun') this.checks.landings.ordered(command, (one, other) => this.share(one, other));
      this.commands.give(command);
    }
    if (decided.changes.some((change) => change.type === 'queueDeleted')) this.deleted();
    else if (decided.wakeAt !== null && decided.wakeAt <= time.now) this.again(event, decided);
  }

  /** Answers whether it could be deleted. */
  delete(): void {
    this.tell({ type: 'deletionRequested', activeEntries: this.openEntries().length });
  }

  /** A new queue for the same branch; it has nothing of the old one. */
  create(): void {
    if (!this.isDeleted) return;
    this.isDeleted = false;
    const { nextRun, nextLanding } = this.store.view([], this.around.time.now);
    // In the tables their ids are made of the queue's own.
    this.store.replace({ ...this.emptyQueue(), nextRun, nextLanding });
    this.checks.begin();
    this.wakeAt = null;
    this.hostEvents.look();
  }

  testHead(number: number): void {
    const { head } = this.host.pullRequest(number);
    const tree = this.host.headTree(number);
    this.ci.test({ ...this.jobOf(`head ${head}`, head, tree), isRed: this.around.code.isRed(tree) });
  }

  openEntries(): readonly Entry[] {
    return [...this.store.all].filter((entry) => !isConcluded(entry.state));
  }

  get isAtRest(): boolean {
    return this.openEntries().length === 0 && this.commands.count === 0;
  }

  private start(): void {
    this.store.downtimes = this.around.life.downtimes;
    this.store.statusesUnread = true;
    const soon = this.chance.between(SECOND, 20 * SECOND, 'first look', this.around.life.downtimes.length);
    this.around.time.in(soon, () => this.hostEvents.look());
    this.tell({ type: 'clockTicked' });
  }

  private deleted(): void {
    this.isDeleted = true;
    this.wakeAt = null;
    if (!this.store.isIdle) this.around.problem(`${this.branch} was deleted, but something is still under way`);
  }

  /** Two processes decide, one after another, and their clocks are some seconds apart. Neither comes early for a deadline. */
  private clockOfProcess(event: QueueEvent): Instant {
    const { plan, time } = this.around;
    const isOther = time.isNoisy && this.chance.happens(plan.noise.otherProcess, 'other process', this.events);
    if (!isOther || event.type === 'clockTicked') return time.now;
    return time.now + Math.round(this.chance.between(-3, 3, 'clock') * SECOND);
  }

  private decide(event: QueueEvent, now: Instant): Decided | null {
    const { around } = this;
    const before = this.store.load(event, now);
    try {
      const decision = decide(before, event, now);
      if (decision.type === 'refused') {
        count(around.tally.refusals, decision.refusal.code);
        around.diary.refused(decision.refusal);
        return null;
      }
      for (const violation of violations(before, decision)) around.problem(`invariant: ${violation}`);
      this.store.save(decision);
      return decision;
    } catch (error) {
      around.problem(`the engine broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return null;
    }
  }

  private again(event: QueueEvent, decided: Decided): void {
    const { now } = this.around.time;
    const others = this.atThisInstant.now === now ? this.atThisInstant.decisions : 0;
    this.atThisInstant = { now, decisions: others + 1 };
    if (event.type === 'clockTicked' && decided.changes.length === 0)
      return this.around.problem('wants to decide again at once, although nothing changed');
    if (others > AT_ONE_INSTANT) return this.around.problem(`decides for ever at ${this.around.time.shown()}`);
    this.tell({ type: 'clockTicked' });
  }

  /** The queue paused itself: people look at it, and take the target as it is. */
  private lookAfterTarget(): void {
    const resume = { type: 'settingsChanged', settings: {}, state: 'running', actor: 'ann' } as const;
    this.around.time.in(TO_LOOK_AFTER_TARGET, () => this.tell(resume));
  }

  private started(command: StartTestRun, outcome: QueueEvent): void {
    if (outcome.type !== 'runPushed' && outcome.type !== 'runResultKnown') return;
    this.checks.started(command.run, outcome.commit);
    if (outcome.type === 'runResultKnown') return this.inheritDoubt(command, outcome);
    if (this.pushed.has(command.run)) return;
    this.pushed.add(command.run);
    const { tree } = this.host.candidates.get(outcome.commit)!;
    const name = this.branch === 'main' ? `run ${command.run}` : `run ${command.run} of ${this.branch}`;
    this.ci.test({ ...this.jobOf(name, outcome.commit, tree), isRed: this.around.code.isRed(tree) });
  }

  private jobOf(name: string, commit: string, tree: Tree): Omit<Job, 'isRed'> {
    return { name, commit, tree, timeout: this.around.plan.settings.testingTimeoutMinutes * MINUTE };
  }

  /** What is known from a run that CI was wrong about is as doubtful as that. */
  private inheritDoubt(command: StartTestRun, outcome: Extract<QueueEvent, { type: 'runResultKnown' }>): void {
    const known = this.store.results.of(outcome.tree, outcome.requiredStatuses, command.reuseSince ?? 0);
    if (known) this.checks.acquittals.tookOver(command.run, known.at);
    const commit = this.checks.justice.commitOf(known?.run ?? 0);
    if (commit === null || !this.ci.isHonest(commit)) this.ci.doubt(outcome.commit);
  }

  private stopped(run: number): void {
    const commit = this.checks.justice.commitOf(run);
    if (commit !== null) this.ci.stop(commit);
  }

  private landed(command: LandRun, before: Tree): void {
    this.checks.fates.landedByQueue(command.changes.map(nameOf));
    this.around.authority.landed(command.changes);
    const statuses = this.host.requiredOfHead(command.direct?.requiredStatuses ?? []);
    this.checks.landings.landed(command, before, statuses);
  }

  private landedPartly(command: LandRun, before: Tree, landed: number): void {
    this.checks.fates.landedByQueue(command.changes.slice(0, landed).map(nameOf));
    this.around.authority.landed(command.changes.slice(0, landed));
    this.checks.landings.landedPartly(command, before, landed);
  }

  private share(one: string, other: string): boolean {
    const [a, b] = [one, other].map((name) => {
      const [number, head] = name.split('@');
      return this.store.targets.of(Number(number), head ?? '');
    });
    return shares(a, b);
  }

  private verdictOf(commit: string, name: string): Verdict {
    const states = this.store
      .reportsOn(commit)
      .filter((report) => report.name === name)
      .map((report) => report.state);
    if (states.includes('failed') || states.includes('lost')) return 'failed';
    return states.length > 0 && states.every((state) => state === 'passed') ? 'passed' : 'open';
  }

  private emptyQueue(): QueueSnapshot {
    const { settings, mode, limits, landsWholeRuns } = this.around.plan;
    return { ...emptyQueue(settings, this.host.tip()), branch: this.branch, mode, limits, landsWholeRuns };
  }
}

type Verdict = 'passed' | 'failed' | 'open';
