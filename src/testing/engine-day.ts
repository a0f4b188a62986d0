import { type Command, subjectOf } from '../engine/commands';
import { decide } from '../engine/decide';
import type { Decided, Decision, Refusal } from '../engine/decision';
import type { QueueEvent } from '../engine/events';
import { violations } from '../engine/invariants';
import type { Entry, PullRequestFacts, QueueSnapshot, QueueSettings, StatusReport, TestRun } from '../engine/model';
import { type EntryState, type Instant, MINUTE, type RequestableQueueState, SECOND } from '../engine/vocabulary';
import { EngineHost, type PullRequestDay, type Tree } from './engine-host';
import { DEFAULT_SETTINGS, emptyQueue } from './engine-snapshots';

/**
 * A day in the life of one queue, on the engine alone: the host is a list of changes, CI says what it is told, time
 * moves when asked. Every decision is checked against the invariants, every landing against what was tested.
 */
export class EngineDay {
  now: Instant = Date.UTC(2026, 0, 1);
  queue: QueueSnapshot;
  readonly host = new EngineHost();
  readonly orders: Command[] = [];
  readonly outcomes: QueueEvent[] = [];
  readonly decisions: Decided[] = [];
  readonly problems: string[] = this.host.problems;

  constructor(settings: Partial<QueueSettings> = {}) {
    this.queue = emptyQueue({ ...DEFAULT_SETTINGS, ...settings }, this.host.tip());
  }

  get target(): Tree {
    return this.host.target;
  }

  /** What one event decides, folded in; the refusal when it is refused. */
  happen(event: QueueEvent): Refusal | null {
    const before = this.queue;
    const decision: Decision = decide(before, event, this.now);
    if (decision.type === 'refused') return decision.refusal;
    this.problems.push(...violations(before, decision));
    this.queue = decision.after;
    this.orders.push(...decision.commands);
    this.decisions.push(decision);
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

  submit(number: number, wishes: { priority?: number | null; noBatch?: boolean } = {}): Refusal | null {
    if (!this.host.pullRequests.has(number)) this.open(number);
    const newEntryId = `entry-${number}`;
    return this.happen({
      type: 'pullRequestSubmitted',
      newEntryId,
      facts: this.facts(number),
      hasTargets: false,
      via: 'api',
      actor: 'ci',
      ...wishes,
    });
  }

  cancel(number: number): Refusal | null {
    return this.happen({ type: 'cancelRequested', number, via: 'api', actor: 'ci' });
  }

  restart(number: number): Refusal | null {
    return this.happen({ type: 'restartRequested', number, via: 'api', actor: 'ci' });
  }

  set(settings: Partial<QueueSettings>, state?: RequestableQueueState): void {
    this.happen({ type: 'settingsChanged', settings, state, actor: 'ci' });
  }

  /** Something happens to the pull request at the host; `news`: the queue hears of it. */
  change(number: number, facts: Partial<PullRequestDay>, news: 'heard' | 'missed' = 'heard'): void {
    const present = this.host.pullRequests.get(number);
    if (!present) throw new Error(`pull request ${number} was never opened`);
    Object.assign(present, facts);
    if (news === 'heard') this.happen({ type: 'pullRequestSeen', facts: this.facts(number) });
  }

  pushToTarget(what: string, news: 'heard' | 'missed' = 'heard'): void {
    this.host.target = [...this.host.target, what];
    if (news === 'heard') this.lookAtTarget();
  }

  lookAtTarget(): void {
    this.happen({ type: 'targetSeen', tip: this.host.tip(), seenAt: this.now });
  }

  advance(minutes: number): void {
    this.now += minutes * MINUTE;
    this.happen({ type: 'clockTicked' });
  }

  /** Carries out one order at the host; what became of it is not heard yet. Orders of one subject keep their order. */
  act(pick = 0): boolean {
    const due = this.orders.filter(
      (order, i) => this.orders.findIndex((other) => subject(other) === subject(order)) === i,
    );
    const order = due[pick % Math.max(1, due.length)];
    if (order === undefined) return false;
    this.orders.splice(this.orders.indexOf(order), 1);
    this.now += SECOND;
    if (order.type === 'startTestRun') this.outcomes.push(this.host.start(order, this.now));
    if (order.type === 'landRun') this.outcomes.push(this.host.land(order, this.now));
    return true;
  }

  /** The queue hears the oldest outcome. */
  hear(): boolean {
    const outcome = this.outcomes.shift();
    if (outcome) this.happen(outcome);
    return outcome !== undefined;
  }

  carryOutAll(): this {
    while (this.hear() || this.act()) continue;
    return this;
  }

  /** CI reports a status on the commit of a live run. */
  report(run: TestRun, state: StatusReport['state'], name = 'ci'): void {
    if (run.commit === null) throw new Error(`run ${run.number} has no commit yet`);
    const { commit } = run;
    const others = this.queue.reports.filter((report) => report.commit !== commit || report.name !== name);
    this.queue = { ...this.queue, reports: [...others, { commit, kind: 'status', name, state, reportedAt: this.now }] };
    if (run.requiredStatuses.every((required) => this.isPassed(commit, required)))
      this.host.markPassed(this.treeOf(run));
    this.happen({ type: 'statusReported', commit });
  }

  /** The run of the line that tests this pull request, once its branch is pushed. */
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
    const entry = this.queue.entries.find((other) => other.number === number);
    if (!entry) throw new Error(`#${number} was never submitted`);
    return entry;
  }

  stateOf(number: number): EntryState {
    return this.entry(number).state;
  }

  /** Numbers that the run of this pull request is tested on top of, in order, its own last. */
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

  private isPassed(commit: string, name: string): boolean {
    return this.queue.reports.some(
      (report) => report.commit === commit && report.name === name && report.state === 'passed',
    );
  }
}

function subject(order: Command): string {
  return subjectOf('queue', order);
}
