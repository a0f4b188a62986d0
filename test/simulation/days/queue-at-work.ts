import type { Decided } from '../../../src/engine/decision';
import type { QueueEvent } from '../../../src/engine/events';
import type { Entry, QueueSnapshot, StatusFact, UploadFact } from '../../../src/engine/model';
import { isConcluded } from '../../../src/engine/states';
import { type Instant, MINUTE, SECOND } from '../../../src/engine/vocabulary';
import { EngineHost, nameOf, type Tree } from '../../support/engine-host';
import { emptyQueue } from '../../support/engine-snapshots';
import { EngineStore } from '../../../src/processing/replay/engine-store';
import { shares } from '../../../src/processing/replay/target-book';
import type { Chance } from './chance';
import { QueueChecks } from './checks/queue-checks';
import { type CommandEffects, Commands } from './commands';
import { Deciders } from './deciders';
import { HostEvents } from './host-events';
import { Mishaps } from './mishaps';
import { QueueTests } from './queue-tests';
import type { Job } from './simulated-ci';
import type { Surroundings } from './surroundings';
import { note } from './tally';

const SHOW_EVERY = 40;
const TO_LOOK_AFTER_TARGET = 10 * MINUTE;

/** One queue of a day, with its target, its CI and all its checks. The queue may be deleted and created again. */
export class QueueAtWork {
  readonly host: EngineHost;
  readonly store: EngineStore;
  readonly mishaps: Mishaps;
  readonly hostEvents: HostEvents;
  readonly commands: Commands;
  readonly checks: QueueChecks;
  readonly tests: QueueTests;
  wakeAt: Instant | null = null;
  events = 0;
  submissions = 0;
  private readonly deciders: Deciders;
  private isDeleted = false;

  constructor(
    private readonly around: Surroundings,
    readonly branch: string,
    readonly chance: Chance,
  ) {
    const { plan, time, code, life, tally } = around;
    this.host = new EngineHost(plan.treeOrder, branch, around.pullRequests);
    this.host.statusesInFile = plan.statusesInFile;
    this.host.protectedStatuses = plan.protectedStatuses;
    this.store = new EngineStore(this.emptyQueue());
    this.store.freezes = plan.freezes;
    this.mishaps = new Mishaps(plan.noise, chance, time, tally.mishaps);
    this.deciders = new Deciders(around, chance, this.mishaps, this.store);
    this.tests = new QueueTests(
      around,
      this,
      (report, job) => this.reported(report, job),
      (upload) => this.uploaded(upload),
    );
    this.checks = new QueueChecks(plan, this.host, this.store, { code, life, tests: this.tests });
    this.hostEvents = new HostEvents(around, this);
    this.commands = new Commands(around, this, this.effects());
    life.onStart(() => this.start());
  }

  /** Gives the event to the queue, unless the queue was deleted. */
  tell(event: QueueEvent): void {
    if (this.isDeleted) return;
    const { life, time } = this.around;
    // The outcome of a task is stored, and the queue decides on it when the service runs again.
    if (life.isDown) return life.whenUp(() => this.tell(event));
    this.events++;
    if (this.mishaps.happens('decisionLost', this.events))
      return time.in(this.chance.between(SECOND, MINUTE, 'again', this.events), () => this.tell(event));
    if (event.type === 'pullRequestSubmitted') this.submissions++;
    this.around.diary.event(event, this.branch);
    const { mode, scheduling } = this.store;
    const now = this.deciders.clockOf(event, this.events);
    const decided = this.deciders.decide(this.counted(event), now);
    if (decided === null) return;
    this.wakeAt = decided.wakeAt;
    this.around.diary.decided(decided.changes, decided.commands);
    note(this.around.tally, decided.changes);
    this.checks.decided({ event, decided, order: { mode, scheduling }, now });
    if (this.events % SHOW_EVERY === 0) this.checks.fates.visible(now);
    this.actOn(event, decided);
  }

  delete(): void {
    this.tell({ type: 'deletionRequested', activeEntries: 0 });
  }

  /** Creates a new queue for the same branch, with nothing of the old queue. */
  create(): void {
    if (!this.isDeleted) return;
    this.isDeleted = false;
    const { nextRun, nextLanding } = this.store.view([], this.around.time.now);
    // The new queue continues the numbers of runs and landings. In the database, ids of runs and landings need no such
    // rule, because they contain the queue's id.
    this.store.replace({ ...this.emptyQueue(), nextRun, nextLanding });
    this.checks.begin();
    this.wakeAt = null;
    this.hostEvents.look();
  }

  openEntries(): readonly Entry[] {
    return [...this.store.all].filter((entry) => !isConcluded(entry.state));
  }

  get isAtRest(): boolean {
    return this.openEntries().length === 0 && this.commands.count === 0;
  }

  /**
   * The event with the present number of open entries. Like the service, the queue counts them at the time of the
   * decision, however old the request is.
   */
  private counted(event: QueueEvent): QueueEvent {
    return event.type === 'deletionRequested' ? { ...event, activeEntries: this.openEntries().length } : event;
  }

  private actOn(event: QueueEvent, decided: Decided): void {
    for (const change of decided.changes) {
      if (change.type === 'partEvaluated' && change.problem !== null) this.lookAfterTarget();
      if (change.type === 'queueDeleted') this.deleted();
    }
    for (const command of decided.commands) {
      if (command.type === 'landRun') this.checks.landings.ordered(command, (one, other) => this.share(one, other));
      this.commands.give(command);
    }
    const isDue = !this.isDeleted && decided.wakeAt !== null && decided.wakeAt <= this.around.time.now;
    if (isDue && this.deciders.mayDecideAgain(event, decided)) this.tell({ type: 'clockTicked' });
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

  /** If the queue paused itself, people check the target, accept it as it is, and resume the queue. */
  private lookAfterTarget(): void {
    const resume = { type: 'settingsChanged', settings: {}, state: 'running', actor: 'ann' } as const;
    this.around.time.in(TO_LOOK_AFTER_TARGET, () => this.tell(resume));
  }

  private reported(report: StatusFact, job: Job): void {
    if (!this.host.candidates.has(report.commit)) return this.around.headReported(report, job.tree);
    this.noteIfPassed(report, job.tree);
    this.hostEvents.statusReported(report);
  }

  /**
   * CI reports on the head of a pull request, whatever its base branch is. The queue does not decide at once, but a
   * direct merge uses the report.
   */
  headReported(report: StatusFact, tree: Tree): void {
    this.noteIfPassed(report, tree);
    this.store.report(report);
  }

  private noteIfPassed({ state, commit, name }: StatusFact, tree: Tree): void {
    if (state === 'passed') this.checks.landings.passed(commit, tree, name);
  }

  /** Test health passes uploads on through the inbox. There are no uploads while the service is down. */
  private uploaded(upload: UploadFact): void {
    if (!this.host.candidates.has(upload.commit) || this.around.life.isDown) return;
    this.store.upload(upload);
    this.checks.suspicions.uploaded(upload);
    this.tell({ type: 'resultsUploaded', commit: upload.commit });
  }

  private effects(): CommandEffects {
    const { checks, tests, host } = this;
    const arrived = (ordered: Parameters<typeof nameOf>[0][]): void => {
      const changes = ordered.filter((change) => host.target.includes(nameOf(change)));
      checks.fates.landedByQueue(changes.map(nameOf));
      this.around.authority.landed(changes);
    };
    return {
      tell: (event) => this.tell(event),
      started: (command, outcome) => tests.started(command, outcome, checks),
      stopped: (run) => {
        const commit = checks.justice.commitOf(run);
        if (commit !== null) tests.stopped(commit);
      },
      landed: (command, before) => {
        arrived([...command.changes]);
        checks.landings.landed(command, before, host.requiredOfHead(command.direct?.requiredStatuses ?? [], before));
      },
      landedPartly: (command, before, landed) => {
        arrived(command.changes.slice(0, landed));
        checks.landings.landedPartly(command, before, landed);
      },
    };
  }

  private share(one: string, other: string): boolean {
    const [a, b] = [one, other].map((name) => {
      const [number, head] = name.split('@');
      return this.store.targets.of(Number(number), head ?? '');
    });
    return shares(a, b);
  }

  private emptyQueue(): QueueSnapshot {
    const { settings, mode, limits } = this.around.plan;
    return { ...emptyQueue(settings, this.host.tip()), branch: this.branch, mode, limits };
  }
}
