import type { QueueEvent } from '../../../src/engine/events';
import type { PullRequestFacts, QueueSnapshot } from '../../../src/engine/model';
import { comparePending } from '../../../src/engine/policy/order';
import { isConcluded } from '../../../src/engine/states';
import { type Instant, MINUTE, type RequestableQueueState, type Scheduling } from '../../../src/engine/vocabulary';
import type { EngineStore } from '../../../src/processing/replay/engine-store';
import type { GivenTargets } from '../../../src/processing/replay/target-book';
import type { Dice } from '../oracle/random';
import { drawFreezes, drawLimit, drawSlots } from './draw-queue';
import type { NeedsByNumber, Truth } from './truth';

interface DayWithPeople {
  readonly dice: Dice;
  readonly truth: Truth;
  readonly store: EngineStore;
  readonly host: { pushToTarget(): void };
  readonly queue: QueueSnapshot;
  readonly runsOf: ReadonlyMap<string, number>;
  now: Instant;
  outage: number;
  send(event: QueueEvent): void;
}

interface Wishes {
  readonly priority?: number;
  readonly noBatch?: boolean;
  readonly dryRun?: boolean;
}

const NOTHING: readonly never[] = [];
/** A pull request with this many test runs is not submitted again. */
const TESTED_ENOUGH = 20;

/** Actions of people that concern the queue and their pull requests. */
export class PeopleOfDay {
  private readonly heads = new Map<number, number>();
  /** For each pull request, the numbers that its description names as its dependencies. */
  private readonly needs = new Map<number, readonly number[]>();
  /** For each pull request in a stack, the pull request on which it is stacked. */
  private readonly stackedOn = new Map<number, number>();
  private readonly below = new Map<number, readonly string[]>();
  /**
   * Pull requests from which the host requires something. The value is `true` if this can be satisfied without a
   * person.
   */
  private readonly demands = new Map<number, boolean>();
  private next = 1;
  private outages = 0;

  constructor(private readonly day: DayWithPeople) {}

  readonly needsOf = (number: number): readonly number[] => this.needs.get(number) ?? NOTHING;

  /** The needs that descriptions name at present. */
  saidNeeds(): NeedsByNumber {
    return new Map(this.needs);
  }

  /** The commits below the head of the pull request. */
  containedIn(number: number): readonly string[] {
    return this.below.get(number) ?? NOTHING;
  }

  factsOf(number: number): PullRequestFacts {
    const head = this.headOf(number);
    const names = { title: `Change ${number}`, author: 'ann', head, headBranch: null, base: 'main' };
    const dependsOn = this.needsOf(number);
    const isPending = this.demands.get(number);
    const demanded = isPending === undefined ? {} : { unmet: [{ words: 'it', ...(isPending && { isPending }) }] };
    const mergeability = isPending === undefined ? 'mergeable' : 'not_mergeable';
    const { now: seenAt } = this.day;
    return { number, ...names, state: 'open', draft: false, mergeability, ...demanded, dependsOn, seenAt };
  }

  /** Lets one person act once. */
  act(): void {
    const { dice, truth } = this.day;
    const x = dice.throw();
    const number = 1 + dice.below(Math.max(1, this.next - 1));
    if (x < 0.4 && this.next <= truth.count) return this.submitNext();
    if (truth.isSwitching && dice.happens(0.08)) return this.switchScheduling();
    if (!truth.isBusy) return;
    if (x < 0.5) return this.atPullRequest(number);
    if (x < 0.55) return this.resubmit(number);
    if (x < 0.59) return this.request('restartRequested', number);
    if (x < 0.62) return this.raise(number);
    if (x < 0.75) return this.atQueue();
    if (x < 0.77) return this.day.send({ type: 'promotionRequested', number, actor: null });
    if (x < 0.772) return this.cancelAll();
    this.day.now += dice.below(3) * MINUTE;
    this.day.send({ type: 'clockTicked' });
  }

  /**
   * Removes one thing that blocks the queue, as people do before they go home. Returns false if nothing was blocking
   * it.
   */
  goesHome(): boolean {
    if (this.day.queue.state !== 'running') {
      this.day.send({ type: 'settingsChanged', settings: {}, state: 'running', actor: 'ci' });
      return true;
    }
    const [number] = this.demands.keys();
    if (number !== undefined) this.demands.delete(number);
    const kept = this.day.queue.entries.find(
      ({ state, pullRequest }) => !isConcluded(state) && (pullRequest.unmet ?? NOTHING).length > 0,
    );
    const seen = kept?.number ?? number;
    if (seen === undefined) return false;
    this.demands.delete(seen);
    this.show(seen);
    return true;
  }

  private atPullRequest(number: number): void {
    const { dice } = this.day;
    const x = dice.throw();
    if (x < 0.3) return this.request('cancelRequested', number);
    if (x < 0.5) return this.push(number);
    if (x < 0.75) return this.editDescription(number);
    if (this.demands.has(number)) this.demands.delete(number);
    else this.demands.set(number, dice.happens(0.3));
    this.show(number);
  }

  private atQueue(): void {
    const { dice, truth, store } = this.day;
    const x = dice.throw();
    const change = (settings: Extract<QueueEvent, { type: 'settingsChanged' }>['settings']): void =>
      this.day.send({ type: 'settingsChanged', settings, actor: 'ci' });
    if (x < 0.3) {
      const state = dice.pick<RequestableQueueState>(['running', 'running', 'paused', 'draining']);
      return this.day.send({ type: 'settingsChanged', settings: {}, state, actor: 'ci' });
    }
    if (x < 0.5) return this.day.host.pushToTarget();
    if (x < 0.6) return change(drawSlots(dice, truth));
    if (x < 0.65) return change({ maxMergesPerHour: drawLimit(dice) });
    if (x < 0.75) {
      store.freezes = drawFreezes(dice, this.day.now);
      return change({ freezeWindows: [] });
    }
    if (truth.hasOutages) this.day.outage = this.day.outage > 0 ? 0 : ++this.outages;
  }

  private cancelAll(): void {
    const open = this.day.queue.entries.filter(({ state }) => !isConcluded(state));
    const numbers = open.toSorted((a, b) => comparePending(b, a)).map(({ number }) => number);
    this.day.send({ type: 'allCancelRequested', numbers, actor: null });
  }

  private switchScheduling(): void {
    const scheduling = this.day.dice.pick<Scheduling>(['in_order', 'flow']);
    this.day.send({ type: 'settingsChanged', settings: { scheduling }, actor: 'ci' });
  }

  private submitNext(): void {
    const { dice, truth, store } = this.day;
    const number = this.next++;
    if (number > 1 && dice.happens(0.2)) this.depend(number, 1 + dice.below(number - 1));
    if (number > 1 && truth.count % 2 === 0 && dice.happens(0.25)) this.stack(number, 1 + dice.below(number - 1));
    const priority = dice.happens(0.05) ? 0 : dice.pick([10, 100, 100, 200]);
    const dryRun = truth.count % 4 === 0 && dice.happens(0.2);
    if (truth.count % 3 === 0) store.giveTargets(number, this.headOf(number), this.drawTargets());
    this.submit(number, { priority, noBatch: dice.happens(0.1), dryRun });
  }

  private depend(number: number, on: number): void {
    this.needs.set(number, [on]);
    this.day.truth.opened(number, on);
  }

  private drawTargets(): GivenTargets {
    const { dice } = this.day;
    return dice.happens(0.1) ? 'ALL' : new Set(['a', 'b', 'c'].filter(() => dice.happens(0.3)));
  }

  private submit(number: number, wishes: Wishes): void {
    const facts = this.factsOf(number);
    const told = { newEntryId: `entry-${number}`, facts, commits: this.commitsOf(number), hasTargets: false };
    this.day.send({ type: 'pullRequestSubmitted', ...told, via: 'api', actor: null, ...wishes });
  }

  private resubmit(number: number): void {
    const entry = this.day.store.entryOf(number);
    if (!entry || !isConcluded(entry.state) || entry.state === 'merged') return;
    if ((this.day.runsOf.get(entry.id) ?? 0) < TESTED_ENOUGH) this.submit(number, {});
  }

  private raise(number: number): void {
    const entry = this.day.store.entryOf(number);
    if (entry && !isConcluded(entry.state)) this.submit(number, { priority: 0 });
  }

  private request(type: 'cancelRequested' | 'restartRequested', number: number): void {
    this.day.send({ type, number, via: 'api', actor: null });
  }

  private push(number: number): void {
    if (!this.day.store.entryOf(number)) return;
    const before = this.commitsOf(number);
    this.heads.set(number, (this.heads.get(number) ?? 0) + 1);
    const below = this.stackedOn.get(number);
    // The push either brings the pull request up to date with its parent, or adds one commit.
    const isAnew = below !== undefined && this.day.dice.happens(0.5);
    this.below.set(number, isAnew ? this.commitsOf(below) : before);
    this.show(number);
  }

  private stack(number: number, on: number): void {
    this.stackedOn.set(number, on);
    this.below.set(number, this.commitsOf(on));
  }

  /** Edits a description, which then names the true need, another need, or none. */
  private editDescription(number: number): void {
    const { dice, truth } = this.day;
    const other = 1 + dice.below(Math.max(1, this.next - 1));
    const isFound = dice.happens(0.5);
    const found = isFound ? truth.neededBy(number) : NOTHING;
    this.needs.set(number, found.length > 0 ? found : other === number ? NOTHING : [other]);
    this.show(number);
  }

  private show(number: number): void {
    const commits = this.commitsOf(number);
    this.day.send({ type: 'pullRequestSeen', facts: this.factsOf(number), commits, pusherMayWrite: true });
  }

  private headOf(number: number): string {
    return `${number}${String.fromCharCode(97 + (this.heads.get(number) ?? 0))}`;
  }

  private commitsOf(number: number): readonly string[] {
    return [this.headOf(number), ...this.containedIn(number)];
  }
}
