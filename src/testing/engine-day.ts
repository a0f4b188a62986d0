import { createHash } from 'node:crypto';
import { type Command, type LandRun, type StartTestRun, subjectOf } from '../engine/commands';
import { decide } from '../engine/decide';
import type { Decided, Decision, Refusal } from '../engine/decision';
import type { NotStarted, QueueEvent } from '../engine/events';
import { violations } from '../engine/invariants';
import type {
  Change,
  Entry,
  PullRequestFacts,
  QueueSnapshot,
  QueueSettings,
  StatusReport,
  TestRun,
  Tip,
} from '../engine/model';
import { type EntryState, type Instant, MINUTE, type RequestableQueueState, SECOND } from '../engine/vocabulary';

export const DEFAULT_SETTINGS: QueueSettings = {
  concurrency: 1,
  bisectionConcurrency: null,
  testingTimeoutMinutes: 300,
  pendingFailureDepth: 0,
  canOptimisticallyMerge: false,
  batch: false,
  batchingMaxWaitTimeMinutes: 5,
  batchingMinSize: 4,
  commentsEnabled: true,
  commandsEnabled: true,
  createPrsForTestingBranches: true,
  statusCheckEnabled: true,
  requiredStatuses: ['ci'],
  directMergeMode: 'off',
  optimizationMode: 'off',
  mergeMethod: 'squash',
  notReadyTimeoutHours: 24,
};

/** A tree is the ordered list of changes it holds: `main`, then pull requests `number@head`, then pushes of people. */
export type Tree = readonly string[];

export interface PullRequestDay {
  head: string;
  state: PullRequestFacts['state'];
  draft: boolean;
  base: string | null;
  mergeability: PullRequestFacts['mergeability'];
  /** Numbers of pull requests that it cannot be merged onto. */
  conflictsWith: readonly number[];
}

/**
 * A day in the life of one queue, on the engine alone: the host is a list of changes, CI says what it is told, time
 * moves when asked. Every decision is checked against the invariants, every landing against what was tested.
 */
export class EngineDay {
  now: Instant = Date.UTC(2026, 0, 1);
  queue: QueueSnapshot;
  target: Tree = ['main'];
  readonly orders: Command[] = [];
  readonly outcomes: QueueEvent[] = [];
  readonly pullRequests = new Map<number, PullRequestDay>();
  readonly decisions: Decided[] = [];
  readonly passedTrees = new Set<string>();
  readonly problems: string[] = [];
  private readonly trees = new Map<string, Tree>();

  constructor(settings: Partial<QueueSettings> = {}) {
    this.queue = emptyQueue({ ...DEFAULT_SETTINGS, ...settings }, this.tipOf(this.target));
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
    this.pullRequests.set(number, { ...fresh, ...facts });
    return this;
  }

  submit(number: number, wishes: { priority?: number | null; noBatch?: boolean } = {}): Refusal | null {
    if (!this.pullRequests.has(number)) this.open(number);
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
    const present = this.pullRequests.get(number);
    if (!present) throw new Error(`pull request ${number} was never opened`);
    Object.assign(present, facts);
    if (news === 'heard') this.happen({ type: 'pullRequestSeen', facts: this.facts(number) });
  }

  pushToTarget(what: string, news: 'heard' | 'missed' = 'heard'): void {
    this.target = [...this.target, what];
    if (news === 'heard') this.lookAtTarget();
  }

  lookAtTarget(): void {
    this.happen({ type: 'targetSeen', tip: this.tipOf(this.target), seenAt: this.now });
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
    if (order.type === 'startTestRun') this.outcomes.push(this.start(order));
    if (order.type === 'landRun') this.outcomes.push(this.land(order));
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
      this.passedTrees.add(idOf(this.treeOf(run)));
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
    return this.trees.get(run.tree ?? '') ?? [];
  }

  facts(number: number): PullRequestFacts {
    const { conflictsWith: _, ...facts } = this.pullRequests.get(number)!;
    return { ...facts, number, title: `Change ${number}`, author: 'ann', headBranch: null, seenAt: this.now };
  }

  private start(order: StartTestRun): QueueEvent {
    const seen = order.own.map((change) => this.facts(change.number));
    const refused = (because: NotStarted): QueueEvent => ({ type: 'runNotStarted', run: order.run, because, seen });
    const tip = this.tipOf(this.target);
    const isExpected = tip.commit === order.target.commit || tip.tree === order.landingTree;
    if (!isExpected) return refused({ type: 'target_moved', tip, seenAt: this.now });
    if (order.own.some((change) => this.isChanged(change))) return refused({ type: 'pull_request_changed' });
    const unknown = order.own.filter((change) => this.pullRequests.get(change.number)!.mergeability === 'unspecified');
    if (unknown.length > 0)
      return refused({ type: 'mergeability_unknown', numbers: unknown.map((change) => change.number) });
    const base = this.trees.get(order.target.tree) ?? [];
    const chain = [...order.onto.contains, ...order.builtOn, ...order.own];
    const conflict = this.conflictIn(base, chain, order.own);
    if (conflict) return refused({ type: 'conflict', ...conflict, files: ['a.txt'] });
    const { commit, tree } = this.tipOf([...base, ...chain.map(nameOf)], `run ${order.run}`);
    const branch = `sluice-merge/pr-${order.own[0]!.number}/${order.run}`;
    const { run, requiredStatuses } = order;
    return {
      type: 'runPushed',
      run,
      branch,
      commit,
      tree,
      requiredStatuses,
      source: 'merge_instance',
      at: this.now,
      seen,
    };
  }

  private conflictIn(
    base: Tree,
    chain: readonly Change[],
    own: readonly Change[],
  ): { number: number; with: 'target' | number } | null {
    for (const [i, change] of chain.entries()) {
      const { conflictsWith } = this.pullRequests.get(change.number)!;
      const isOwn = own.includes(change);
      if (conflictsWith.some((other) => base.some((name) => name.startsWith(`${other}@`))))
        return { number: change.number, with: 'target' };
      const ahead = chain.slice(0, i).find((other) => conflictsWith.includes(other.number));
      if (ahead && isOwn) return { number: change.number, with: ahead.number };
    }
    return null;
  }

  private isChanged(change: Change): boolean {
    const now = this.pullRequests.get(change.number)!;
    return (
      now.head !== change.head ||
      now.state !== 'open' ||
      now.draft ||
      (now.base !== null && now.base !== this.queue.branch)
    );
  }

  private land(order: LandRun): QueueEvent {
    const tip = this.tipOf(this.target);
    const { landing } = order;
    if (tip.commit !== order.expectedTip.commit)
      return { type: 'landingRefused', landing, because: { type: 'target_moved', tip, seenAt: this.now } };
    const moved = order.changes.find((change) => this.pullRequests.get(change.number)!.head !== change.head);
    if (moved) return { type: 'landingRefused', landing, because: { type: 'head_moved', number: moved.number } };
    this.target = [...this.target, ...order.changes.map(nameOf)];
    this.checkLanding(order);
    const made = this.tipOf(this.target);
    const commits = order.changes.map((change) => ({ number: change.number, ...made }));
    for (const change of order.changes) this.pullRequests.get(change.number)!.state = 'merged';
    return { type: 'landed', landing, tip: made, commits, at: this.now };
  }

  /** Checked from the target itself, not from the queue's own records. */
  private checkLanding(order: LandRun): void {
    if (!this.passedTrees.has(idOf(this.target)))
      this.problems.push(`landed a tree that nobody passed: ${this.target.join(' ')}`);
    if (new Set(this.target).size !== this.target.length)
      this.problems.push(`landed twice: ${order.changes.map(nameOf).join(' ')}`);
  }

  private isPassed(commit: string, name: string): boolean {
    return this.queue.reports.some(
      (report) => report.commit === commit && report.name === name && report.state === 'passed',
    );
  }

  private tipOf(tree: Tree, salt = ''): Tip {
    this.trees.set(idOf(tree), tree);
    return { commit: hash(`${idOf(tree)} ${salt}`), tree: idOf(tree) };
  }
}

function subject(order: Command): string {
  return subjectOf('queue', order);
}

function nameOf(change: Change): string {
  return `${change.number}@${change.head}`;
}

function idOf(tree: Tree): string {
  return hash(tree.join(' '));
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

export function emptyQueue(settings: QueueSettings, tip: Tip | null): QueueSnapshot {
  return {
    id: 'queue',
    branch: 'main',
    host: 'git.example',
    state: 'running',
    mode: 'single',
    requestedMode: null,
    stateAfterSwitch: null,
    settings,
    limits: { runsInFlight: 200, batchSize: 100 },
    tip,
    tipSeenAt: null,
    epoch: 1,
    landedSeq: 0,
    concluded: 0,
    nextRun: 1,
    nextLanding: 1,
    nextOrder: 1,
    nextPlace: 1,
    hostSilentSince: null,
    entries: [],
    runs: [],
    landed: [],
    landing: null,
    reports: [],
    nextDeadlineOutside: null,
    moreToLoad: { unjudged: false, waiting: false },
  };
}
