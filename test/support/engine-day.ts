import { type Command, type LandRun, commandSubject } from '../../src/engine/commands';
import { decide } from '../../src/engine/decide';
import type { Decided, Decision, Refusal } from '../../src/engine/decision';
import type { QueueEvent } from '../../src/engine/events';
import { violations } from '../../src/engine/invariants';
import type {
  Entry,
  PullRequestFacts,
  QueueSnapshot,
  QueueSettings,
  StatusFact,
  TestRun,
} from '../../src/engine/model';
import { type EntryState, type Instant, MINUTE, type RequestableQueueState, SECOND } from '../../src/engine/vocabulary';
import { EngineHost, type HostKnowledge, type PullRequestDay, type Tree } from './engine-host';
import { DEFAULT_SETTINGS, emptyQueue } from './engine-snapshots';
import { EngineStore } from '../../src/processing/replay/engine-store';
import { shares } from '../../src/processing/replay/target-book';
import { LandingCheck } from './landing-check';

/**
 * A day in the life of one queue, on the engine alone. The host is a list of changes; the test moves time and sets CI's
 * results. The day checks every decision against the invariants, and every merge against the passed tests.
 */
export class EngineDay {
  now: Instant = Date.UTC(2026, 0, 1);
  readonly host = new EngineHost();
  readonly store: EngineStore;
  readonly commands: Command[] = [];
  readonly outcomes: QueueEvent[] = [];
  readonly decisions: Decided[] = [];
  /** The time from a command of the queue until the host carries it out. */
  commandTakes: Instant = SECOND;
  /** Whether the host of this day knows earlier results of a tree, so that the queue may skip tests. */
  knowsResults = false;
  private uploads = 0;
  private readonly landings = new LandingCheck(this.host);
  readonly problems: string[] = this.landings.problems;
  private readonly knowledge: HostKnowledge = {
    knownResult: (tree, statuses, since) => (this.knowsResults ? this.store.results.of(tree, statuses, since) : null),
    hasPassed: (commit, name) => this.isPassed(commit, name),
  };

  constructor(settings: Partial<QueueSettings> = {}) {
    this.store = new EngineStore(emptyQueue({ ...DEFAULT_SETTINGS, ...settings }, this.host.tip()));
  }

  /** The whole queue in its present state. */
  get queue(): QueueSnapshot {
    return this.store.everything(this.now);
  }

  set queue(queue: QueueSnapshot) {
    this.store.replace(queue);
  }

  get target(): Tree {
    return this.host.target;
  }

  /**
   * Decides on an event and applies the decision. Then does the same for everything that is due at this instant. If the
   * event is refused, returns the refusal.
   */
  happen(event: QueueEvent): Refusal | null {
    const before = this.store.load(event, this.now);
    const decision: Decision = decide(before, event, this.now);
    if (decision.type === 'refused') return decision.refusal;
    this.problems.push(...violations(before, decision));
    this.store.save(decision);
    this.commands.push(...decision.commands);
    for (const command of decision.commands)
      if (command.type === 'landRun') this.landings.ordered(command, (one, other) => this.share(one, other));
    this.decisions.push(decision);
    if (decision.wakeAt === null || decision.wakeAt > this.now) return null;
    if (decision.changes.length > 0 || event.type !== 'clockTicked') return this.happen({ type: 'clockTicked' });
    this.problems.push('wants to decide again at once, although nothing changed');
    return null;
  }

  open(number: number, facts: Partial<PullRequestDay> = {}): this {
    const fresh: PullRequestDay = {
      head: `${number}a`,
      state: 'open',
      draft: false,
      base: 'main',
      mergeability: 'mergeable',
      conflictsWith: [],
    };
    this.host.pullRequests.set(number, { ...fresh, ...facts });
    return this;
  }

  submit(
    number: number,
    wishes: { priority?: number | null; noBatch?: boolean; dryRun?: boolean; takesOff?: readonly string[] } = {},
  ): Refusal | null {
    if (!this.host.pullRequests.has(number)) this.open(number);
    const newEntryId = `entry-${number}`;
    return this.happen({
      type: 'pullRequestSubmitted',
      newEntryId,
      facts: this.facts(number),
      commits: this.host.pullRequest(number).contains,
      hasTargets: this.store.targets.has(number, this.host.pullRequest(number).head),
      via: 'api',
      actor: 'ci',
      ...wishes,
    });
  }

  /** Uploads targets for the present head of a pull request. */
  setTargets(number: number, names: readonly string[] | 'ALL'): Refusal | null {
    if (!this.host.pullRequests.has(number)) this.open(number);
    const { head } = this.host.pullRequest(number);
    this.store.giveTargets(number, head, names === 'ALL' ? names : new Set(names));
    return this.store.entryOf(number) ? this.happen({ type: 'targetsGiven', number, head }) : null;
  }

  cancel(number: number): Refusal | null {
    return this.happen({ type: 'cancelRequested', number, via: 'api', actor: 'ci' });
  }

  restart(number: number): Refusal | null {
    return this.happen({ type: 'restartRequested', number, via: 'api', actor: 'ci' });
  }

  promote(number: number): Refusal | null {
    return this.happen({ type: 'promotionRequested', number, actor: 'ci' });
  }

  cancelAll(...numbers: readonly number[]): void {
    this.happen({ type: 'allCancelRequested', numbers, actor: 'ci' });
  }

  set(settings: Partial<QueueSettings>, state?: RequestableQueueState): void {
    this.happen({ type: 'settingsChanged', settings, state, actor: 'ci' });
  }

  /** Changes the pull request at the host. `hostEvent` is `heard` if the queue receives an event about the change. */
  change(number: number, facts: Partial<PullRequestDay>, hostEvent: 'heard' | 'missed' = 'heard'): void {
    Object.assign(this.host.pullRequest(number), facts);
    if (hostEvent === 'heard') this.happen(this.host.seen(number, this.now));
  }

  pushToTarget(what: string, hostEvent: 'heard' | 'missed' = 'heard'): void {
    this.host.target = [...this.host.target, what];
    if (hostEvent === 'heard') this.lookAtTarget();
  }

  lookAtTarget(): void {
    this.happen({ type: 'targetSeen', tip: this.host.tip(), seenAt: this.now });
  }

  advance(minutes: number): void {
    this.now += minutes * MINUTE;
    this.happen({ type: 'clockTicked' });
  }

  /**
   * Carries out one command at the host; the queue receives the outcome later. Commands of one subject keep their
   * order.
   */
  act(pick = 0): boolean {
    const due = this.commands.filter(
      (command, i) => this.commands.findIndex((other) => subject(other) === subject(command)) === i,
    );
    const command = due[pick % Math.max(1, due.length)];
    if (command === undefined) return false;
    this.commands.splice(this.commands.indexOf(command), 1);
    this.now += this.commandTakes;
    if (command.type === 'startTestRun') this.outcomes.push(this.host.start(command, this.now, this.knowledge));
    if (command.type === 'landRun') this.outcomes.push(this.land(command));
    return true;
  }

  /** Passes the oldest outcome to the queue. */
  hear(): boolean {
    const outcome = this.outcomes.shift();
    if (outcome) this.happen(outcome);
    return outcome !== undefined;
  }

  carryOutAll(): this {
    while (this.hear() || this.act()) continue;
    return this;
  }

  /** Makes CI report a status on the commit of a live run. */
  report(run: TestRun, state: StatusFact['state'], name = 'ci', reportedAt = this.now): void {
    if (run.commit === null) throw new Error(`run ${run.number} has no commit yet`);
    const { commit } = run;
    this.store.report({ commit, kind: 'status', name, app: null, state, reportedAt });
    if (state === 'passed') this.landings.passed(commit, this.treeOf(run), name);
    this.happen({ type: 'statusReported', commit });
  }

  /** Makes CI upload test results for the commit of a run. */
  upload(run: TestRun, failed: { readonly flaky?: readonly string[]; readonly others?: number } = {}): void {
    if (run.commit === null) throw new Error(`run ${run.number} has no commit yet`);
    const { commit } = run;
    const { flaky: tests = [], others = 0 } = failed;
    const upload = String(++this.uploads);
    this.store.upload({ commit, upload, flaky: tests.length, others, tests });
    this.happen({ type: 'resultsUploaded', commit });
  }

  /** Makes CI report a status on the pull request's own head. */
  reportOnHead(number: number, state: StatusFact['state'], name = 'ci'): void {
    const { head } = this.host.pullRequest(number);
    this.store.report({ commit: head, kind: 'status', name, app: null, state, reportedAt: this.now });
    if (state === 'passed') this.landings.passed(head, this.host.headTree(number), name);
  }

  /** The run of the sequence that tests this pull request. Throws if the branch of the run is not pushed yet. */
  runOf(number: number): TestRun {
    const run = this.queue.runs.find((other) => other.own.some((change) => change.number === number));
    if (!run) throw new Error(`no run tests #${number}`);
    return run;
  }

  pass(number: number): this {
    this.report(this.runOf(number), 'passed');
    return this.carryOutAll();
  }

  fail(number: number): this {
    this.report(this.runOf(number), 'failed');
    return this.carryOutAll();
  }

  entry(number: number): Entry {
    const entry = this.store.entryOf(number);
    if (!entry) throw new Error(`#${number} was never submitted`);
    return entry;
  }

  stateOf(number: number): EntryState {
    return this.entry(number).state;
  }

  /**
   * The numbers of the pull requests in the test run of this pull request, in order: first the numbers in the base, and
   * then the run's own numbers.
   */
  testedOn(number: number): readonly number[] {
    const run = this.runOf(number);
    return [...run.builtOn, ...run.own].map((change) => change.number);
  }

  treeOf(run: TestRun): Tree {
    return this.host.treeOf(run.tree);
  }

  facts(number: number): PullRequestFacts {
    return this.host.facts(number, this.now);
  }

  private land(command: LandRun): QueueEvent {
    const before = this.target;
    const outcome = this.host.land(command, this.now, this.knowledge);
    const requiredStatuses = this.host.requiredOfHead(command.direct?.requiredStatuses ?? [], before);
    if (outcome.type === 'landedPartly') this.landings.landedPartly(command, before, outcome.commits.length);
    else if (this.target !== before) this.landings.landed(command, before, requiredStatuses);
    return outcome;
  }

  private share(one: string, other: string): boolean {
    const [a, b] = [one, other].map((name) => this.store.targets.of(...parsed(name)));
    return shares(a, b);
  }

  private isPassed(commit: string, name: string): boolean {
    const reports = this.store.reportsOn(commit).filter((report) => report.name === name);
    return reports.length > 0 && reports.every((report) => report.state === 'passed');
  }
}

function parsed(name: string): [number, string] {
  const [number, head] = name.split('@');
  return [Number(number), head ?? ''];
}

function subject(command: Command): string {
  return commandSubject('queue', command);
}
