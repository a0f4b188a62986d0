import type { EntryMoved } from '../../../src/engine/changes';
import type { Command, LandRun, StartTestRun } from '../../../src/engine/commands';
import { decide } from '../../../src/engine/decide';
import { evolve } from '../../../src/engine/evolve';
import type { QueueEvent } from '../../../src/engine/events';
import type { PullRequestFacts, QueueSettings, QueueSnapshot, Tip } from '../../../src/engine/model';
import { Agenda } from '../../../src/processing/replay/agenda';
import { EngineStore } from '../../../src/processing/replay/engine-store';
import type { PastEnd } from '../../../src/processing/replay/history';
import type { GivenTargetsThen } from '../../../src/processing/replay/history-of-log';
import { loggedEvent, type LoggedDecision, startToNote } from '../../../src/processing/decision-log/logged-decision';
import { isConcluded } from '../../../src/engine/states';
import {
  assertNever,
  HOUR,
  type Instant,
  MINUTE,
  type QueueMode,
  SECOND,
  URGENT,
} from '../../../src/engine/vocabulary';
import { DEFAULT_SETTINGS, emptyQueue } from '../../support/engine-snapshots';
import { exponential, logNormal } from '../../bench/virtual/distributions';
import { Dice } from '../oracle/random';

export interface MonthPlan {
  readonly seed: number;
  readonly settings: Partial<QueueSettings>;
  readonly mode?: QueueMode;
  readonly days: number;
  /** The number of pull requests on each day. */
  readonly perDay: number;
}

const DAY = 24 * HOUR;
const STATUS = 'ci';
const SHARES = {
  bad: 0.06,
  misfit: 0.02,
  clash: 0.02,

  urgent: 0.03,
  fixed: 0.7,
  needs: 0.05,
};
const FLAKES = 0.02;
const AREAS = 12;

/**
 * A month of a queue in a world of its own, with its decision log. Pull requests fail, conflict, get pushes, are
 * cancelled or become urgent. Tests are flaky, and CI has an outage. People push to the target, the queue pauses, and
 * the service is never on time.
 */
export class RecordedMonth {
  readonly log: LoggedDecision[] = [];
  readonly targets: GivenTargetsThen[] = [];
  /** The labels of the landed changes, in the order of their landings. */
  readonly landed: string[] = [];
  readonly ends: PastEnd[] = [];
  /** The times at which the queue learned that a test had begun. */
  readonly testsBegunAt: Instant[] = [];
  now: Instant;
  private readonly from: Instant = Date.UTC(2026, 0, 1);
  private readonly dice: Dice;
  private readonly agenda = new Agenda();
  private readonly store: EngineStore;
  private readonly heads = new Map<number, number>();
  private readonly bad = new Set<string>();
  private readonly misfits = new Map<string, string>();
  private readonly clashes = new Map<string, string>();
  private readonly commits = new Map<string, readonly string[]>();
  private readonly building = new Set<number>();
  private readonly tested = new Set<number>();
  private target: readonly string[] = [];
  private pushes = 0;
  private wakeAt: Instant | null = null;
  private lastStart: Instant | null = null;
  private readonly outage: readonly [Instant, Instant];

  constructor(private readonly plan: MonthPlan) {
    this.dice = new Dice(plan.seed);
    this.now = this.from;
    const settings = { ...DEFAULT_SETTINGS, ...plan.settings };
    const { mode = 'single' } = plan;
    this.store = new EngineStore({ ...emptyQueue(settings, null), mode });
    const outage = this.from + (plan.days / 2) * DAY;
    this.outage = [outage + 10 * HOUR, outage + 12 * HOUR];
  }

  get until(): Instant {
    return this.from + this.plan.days * DAY;
  }

  play(): this {
    this.commits.set(this.tip().commit, this.target);
    this.tell({ type: 'targetSeen', tip: this.tip(), seenAt: this.now });
    this.draw();
    for (let next = this.agenda.firstAt(); next !== null && next <= this.until; next = this.agenda.firstAt()) {
      this.now = next;
      this.agenda.takeFirst()?.();
    }
    return this;
  }

  /** Draws all actions of people before the first event happens. */
  private draw(): void {
    const { days, perDay } = this.plan;
    let at = this.from;
    for (let number = 1; ; number++) {
      at += Math.round(exponential(this.dice, DAY / perDay));
      if (at >= this.until) break;
      this.drawPullRequest(number, at);
    }
    for (let day = 1; day < days; day++) {
      const noon = this.from + day * DAY + 12 * HOUR;
      const isTold = this.dice.happens(0.5);
      this.agenda.add(noon + this.dice.below(HOUR), () => this.pushToTarget(isTold));
      if (!this.dice.happens(0.2)) continue;
      this.agenda.add(noon, () => this.set({}, 'paused'));
      this.agenda.add(noon + HOUR, () => this.set({}, 'running'));
    }
    const { concurrency = 1 } = this.plan.settings;
    this.agenda.add(this.from + (days * DAY) / 3, () => this.set({ concurrency: concurrency + 1 }));
  }

  private drawPullRequest(number: number, at: Instant): void {
    const { dice } = this;
    this.drawHead(number, SHARES.bad);
    const priority = dice.happens(SHARES.urgent) ? URGENT : undefined;
    const needed = number > 1 && dice.happens(SHARES.needs) ? number - 1 : null;
    const areas = dice.happens(0.05) ? 'ALL' : [`area ${dice.below(AREAS)}`, `area ${dice.below(AREAS)}`];
    this.agenda.add(at, () => {
      this.give(number, areas);
      this.submit(number, priority, needed);
    });
    const later = at + dice.below(2 * HOUR);
    const deed = dice.throw();
    if (deed < 0.04) this.agenda.add(later, () => this.ask('cancelRequested', number));
    else if (deed < 0.08) this.agenda.add(later, () => this.pushTo(number, areas));
    else if (deed < 0.1) this.agenda.add(later, () => this.ask('restartRequested', number));
    else if (deed < 0.12) this.agenda.add(later, () => this.promote(number));
    // The author of a failed pull request fixes and resubmits it.
    if (dice.happens(SHARES.fixed)) this.agenda.add(at + 6 * HOUR + dice.below(HOUR), () => this.mend(number, areas));
  }

  private drawHead(number: number, badShare: number): void {
    const { dice } = this;
    this.heads.set(number, (this.heads.get(number) ?? 0) + 1);
    const label = this.labelOf(number);
    if (dice.happens(badShare)) this.bad.add(label);
    const partner = number > 3 ? this.labelOf(number - 1 - dice.below(3)) : null;
    if (partner !== null && this.plan.mode !== 'parallel' && dice.happens(SHARES.misfit))
      this.misfits.set(label, partner);
    if (partner !== null && dice.happens(SHARES.clash)) this.clashes.set(label, partner);
  }

  private submit(number: number, priority?: number, needed: number | null = null): void {
    this.tell({
      type: 'pullRequestSubmitted',
      newEntryId: `id of ${number}`,
      facts: this.facts(number),
      hasTargets: this.store.targets.has(number, this.headOf(number)),
      commits: [this.headOf(number), ...(needed === null ? [] : [this.headOf(needed)])],
      ...(priority !== undefined && { priority }),
      via: 'api',
      actor: 'ann',
    });
  }

  private ask(type: 'cancelRequested' | 'restartRequested', number: number): void {
    this.tell({ type, number, via: 'api', actor: 'ann' });
  }

  private promote(number: number): void {
    this.tell({ type: 'promotionRequested', number, actor: 'ann' });
  }

  private pushTo(number: number, areas: 'ALL' | readonly string[]): void {
    const entry = this.store.entryOf(number);
    if (!entry || isConcluded(entry.state)) return;
    this.drawHead(number, SHARES.bad);
    // In half of the cases the queue is notified of the push. Otherwise the queue notices the push when it builds, or
    // at the next submission.
    if (this.dice.happens(0.5)) this.tell({ type: 'pullRequestSeen', facts: this.facts(number), pusherMayWrite: true });
    this.agenda.add(this.now + MINUTE * this.dice.below(20), () => {
      this.give(number, areas);
      this.submit(number);
    });
  }

  private mend(number: number, areas: 'ALL' | readonly string[]): void {
    const entry = this.store.entryOf(number);
    if (entry?.state !== 'failed') return;
    // Some people submit the same head again.
    if (this.dice.happens(0.7)) this.drawHead(number, 0);
    this.give(number, areas);
    this.submit(number);
  }

  private give(number: number, targets: 'ALL' | readonly string[]): void {
    const head = this.headOf(number);
    this.targets.push({ type: 'targetsGiven', at: this.now, number, head, targets });
    this.store.giveTargets(number, head, targets === 'ALL' ? targets : new Set(targets));
  }

  private set(settings: Partial<QueueSettings>, state?: 'running' | 'paused'): void {
    this.tell({ type: 'settingsChanged', settings, ...(state && { state }), actor: 'owner' });
  }

  private pushToTarget(isTold: boolean): void {
    this.target = [...this.target, `push ${++this.pushes}`];
    this.commits.set(this.tip().commit, this.target);
    if (isTold) this.tell({ type: 'targetSeen', tip: this.tip(), seenAt: this.now });
  }

  private tell(event: QueueEvent): void {
    const before = this.store.load(event, this.now);
    const decision = decide(before, event, this.now);
    if (decision.type === 'refused') return;
    this.store.save(decision);
    if (decision.changes.length > 0) this.note(before, event, decision.changes);
    let queue = before;
    for (const change of decision.changes) {
      if (change.type === 'entryMoved') this.conclude(change, queue);
      queue = evolve(queue, change);
    }
    this.wakeAt = decision.wakeAt;
    if (this.wakeAt !== null) this.tickAt(this.wakeAt);
    for (const command of decision.commands) this.carryOut(command);
  }

  private conclude({ entryId, to, because, at }: EntryMoved, { entries }: QueueSnapshot): void {
    if (!isConcluded(to)) return;
    const { number, head, submittedAt } = entries.find(({ id }) => id === entryId)!;
    this.ends.push({ number, head, submittedAt, endedAt: at, end: to as PastEnd['end'], reason: because });
  }

  private note(before: QueueSnapshot, event: QueueEvent, changes: LoggedDecision['changes']): void {
    const start = startToNote(before, this.lastStart, this.now);
    if (start) this.lastStart = this.now;
    this.log.push({ at: this.now, event: loggedEvent(before, event), changes, ...(start && { start }) });
  }

  /** Lets the service take an action a little later than the action is due. */
  private tickAt(due: Instant): void {
    const at = Math.max(due, this.now) + this.dice.below(SECOND);
    this.agenda.add(at, () => {
      if (this.wakeAt === due) this.tell({ type: 'clockTicked' });
    });
  }

  private carryOut(command: Command): void {
    switch (command.type) {
      case 'startTestRun':
        this.building.add(command.run);
        return this.agenda.add(this.now + 2 * SECOND + this.dice.below(8 * SECOND), () => this.start(command));
      case 'stopTestRun':
        this.building.delete(command.run);
        if (command.because === 'ended') this.tested.delete(command.run);
        return;
      case 'landRun':
        return this.agenda.add(this.now + SECOND + this.dice.below(3 * SECOND), () => this.land(command));
      default:
        assertNever(command);
    }
  }

  private start(command: StartTestRun): void {
    const { run, own, reuseSince } = command;
    if (!this.building.delete(run)) return;
    const seen = own.map(({ number }) => this.facts(number));
    const because = this.objectionTo(command);
    if (because) return this.tell({ type: 'runNotStarted', run, because, seen });
    const commit = `run ${run}`;
    const tree = [...this.commits.get(command.onto.commit)!, ...[...command.builtOn, ...own].map(labelIn)];
    this.commits.set(commit, tree);
    const made = {
      run,
      commit,
      tree: tree.join(' '),
      requiredStatuses: [STATUS],
      source: 'merge_instance',
      seen,
    } as const;
    const known = reuseSince === null ? null : this.store.results.of(made.tree, [STATUS], reuseSince);
    if (known) return this.tell({ type: 'runResultKnown', ...made, red: known.red, at: this.now });
    this.tested.add(run);
    this.testsBegunAt.push(this.now);
    const isRed = this.isRed(tree);
    const length = Math.round(logNormal(this.dice, isRed ? 12 : 20, 0.25) * MINUTE);
    const isFlake = this.dice.happens(FLAKES);
    this.agenda.add(this.now + length, () =>
      this.report(run, commit, isRed || isFlake || this.isOut() ? 'failed' : 'passed'),
    );
    this.tell({ type: 'runPushed', ...made, branch: `testing/${run}`, at: this.now - this.dice.below(SECOND) });
  }

  private objectionTo({ keepsBase, target, landingTree, own, builtOn }: StartTestRun) {
    const tip = this.tip();
    const isMoved = tip.commit !== target.commit && tip.tree !== landingTree;
    if (!keepsBase && isMoved) return { type: 'target_moved', tip, seenAt: this.now } as const;
    if (own.some(({ number, head }) => head !== this.headOf(number))) return { type: 'pull_request_changed' } as const;
    const holds = [...builtOn, ...own];
    for (const [i, head] of holds.entries()) {
      const other = this.clashes.get(labelIn(head));
      if (other === undefined) continue;
      const conflict = { type: 'conflict', number: head.number, files: ['a.ts'] } as const;
      if (this.landed.includes(other)) return { ...conflict, with: 'target' } as const;
      const ahead = holds.slice(0, i).find((one) => labelIn(one) === other);
      if (ahead) return { ...conflict, with: ahead.number } as const;
    }
    return null;
  }

  /** All results of one instant are reported before the queue decides on any of them. */
  private report(run: number, commit: string, state: 'passed' | 'failed'): void {
    if (!this.tested.has(run)) return;
    this.store.report({ commit, kind: 'status', name: STATUS, app: null, state, reportedAt: this.now });
    this.agenda.add(this.now, () => this.tell({ type: 'statusReported', commit }));
  }

  private land({ landing, changes, expectedTip }: LandRun): void {
    const tip = this.tip();
    if (tip.commit !== expectedTip.commit)
      return this.tell({ type: 'landingRefused', landing, because: { type: 'target_moved', tip, seenAt: this.now } });
    this.target = [...this.target, ...changes.map(labelIn)];
    this.landed.push(...changes.map(labelIn));
    const made = this.tip();
    this.commits.set(made.commit, this.target);
    const commits = changes.map(({ number }) => ({ number, ...made }));
    this.tell({ type: 'landed', landing, tip: made, commits, at: this.now });
  }

  private isRed(tree: readonly string[]): boolean {
    return tree.some((label, i) => {
      const partner = this.misfits.get(label);
      return this.bad.has(label) || (partner !== undefined && tree.slice(0, i).includes(partner));
    });
  }

  private isOut(): boolean {
    return this.outage[0] <= this.now && this.now < this.outage[1];
  }

  private tip(): Tip {
    return { commit: `tip ${this.target.length}`, tree: this.target.join(' ') };
  }

  private facts(number: number): PullRequestFacts {
    const named = { number, title: `Change ${number}`, author: 'ann', head: this.headOf(number), headBranch: 'topic' };
    return { ...named, base: 'main', state: 'open', draft: false, mergeability: 'mergeable', seenAt: this.now };
  }

  private headOf(number: number): string {
    return `head ${this.heads.get(number) ?? 0} of ${number}`;
  }

  private labelOf(number: number): string {
    return `${number}@${this.headOf(number)}`;
  }
}

function labelIn({ number, head }: { readonly number: number; readonly head: string }): string {
  return `${number}@${head}`;
}
