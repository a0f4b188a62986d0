import type { LandRun, StartTestRun } from '../../engine/commands';
import type { NotStarted } from '../../engine/events';
import type { PullRequestFacts, Tip } from '../../engine/model';
import type { Instant } from '../../engine/vocabulary';
import { labelOf, type PastHead, type PastLanding, type PastRun, type QueueHistory } from './history';
import { PastConflicts } from './past-conflicts';
import type { PastResults } from './past-results';
import type { PastTree } from './past-trees';

/**
 * `past`: the corresponding test of the same tree in the history, or null. `isThen`: whether it was ordered at the same
 * instant there.
 */
export interface OrderedTest {
  readonly past: PastRun | null;
  readonly isThen: boolean;
}

/** The code host of a replay: the target, the commits that the queue made, and the present state of pull requests. */
export class ReplayWorld {
  private readonly conflicts: PastConflicts;
  private readonly commits = new Map<string, PastTree>();
  /** The number of pushes by others before a tip, by the commit of the tip. */
  private readonly epochs = new Map<string, number>();
  private readonly landings = new Map<string, PastLanding[]>();
  private readonly landed = new Set<string>();
  /** The number of tests so far, by tree. */
  private readonly taken = new Map<number, number>();
  private readonly pullRequests = new Map<number, PullRequestFacts>();
  private target: PastTree;
  /** The number of pushes by others, as the queue counts them. */
  epoch: number;

  constructor(
    history: QueueHistory,
    readonly results: PastResults,
  ) {
    this.conflicts = new PastConflicts(history);
    this.target = this.results.trees.root;
    this.epoch = history.start.epoch;
    this.keepTip();
    for (const landing of history.landings) {
      const key = keyOf(landing.holds);
      this.landings.set(key, [...(this.landings.get(key) ?? []), landing]);
    }
  }

  tip(): Tip {
    return { commit: `target ${this.target.id}`, tree: String(this.target.id) };
  }

  push(): void {
    this.target = this.results.trees.pushed(this.target, ++this.epoch);
    this.keepTip();
  }

  land(heads: readonly PastHead[]): void {
    for (const head of heads) this.landed.add(labelOf(head));
    this.target = this.results.trees.growAll(this.target, heads);
    this.keepTip();
  }

  /** Builds the commit of a run. @throws Error if its base was never made, which is a bug */
  build({ run, onto, builtOn, own }: StartTestRun): { readonly commit: string; readonly tree: PastTree } {
    const base = this.commits.get(onto.commit);
    if (!base) throw new Error(`run ${run} is to be built on ${onto.commit}, which nobody made`);
    const commit = `run ${run}`;
    const tree = this.results.trees.growAll(base, [...builtOn, ...own]);
    this.commits.set(commit, tree);
    return { commit, tree };
  }

  observe(facts: PullRequestFacts): void {
    this.pullRequests.set(facts.number, facts);
  }

  facts(number: number, now: Instant): PullRequestFacts | null {
    const facts = this.pullRequests.get(number);
    return facts ? { ...facts, seenAt: now } : null;
  }

  /**
   * Why the run cannot be built; null if it can. If the same run was ordered at the same instant in the history, the
   * result is the same as there.
   */
  objectionTo(command: StartTestRun, { past, isThen }: OrderedTest, now: Instant): NotStarted | null {
    const { start = null } = past ?? {};
    if (isThen && start !== null) return start.type === 'refused' ? this.asNow(start.because, now) : null;
    const base = this.epochs.get(command.target.commit) ?? this.epoch;
    if (!command.keepsBase && base < this.epoch) return this.moved(now);
    if (command.own.some((head) => this.isChanged(head))) return { type: 'pull_request_changed' };
    if (start?.type === 'refused' && !isByWorld(start.because)) return start.because;
    if (start !== null && start.type !== 'refused') return null;
    return this.conflicts.find([...command.builtOn, ...command.own], (label) => this.landed.has(label));
  }

  moved(now: Instant): { readonly type: 'target_moved'; readonly tip: Tip; readonly seenAt: Instant } {
    return { type: 'target_moved', tip: this.tip(), seenAt: now };
  }

  /** The next test of this tree, as it was in the history; null if there are no more tests. */
  takeTest(tree: PastTree): PastRun | null {
    const taken = this.taken.get(tree.id) ?? 0;
    this.taken.set(tree.id, taken + 1);
    return this.results.attempt(tree, taken);
  }

  /** The next landing of exactly these heads, as it was in the history; null if there are no more such landings. */
  takeLanding({ changes }: LandRun): PastLanding | null {
    return this.landings.get(keyOf(changes))?.shift() ?? null;
  }

  private keepTip(): void {
    this.commits.set(this.tip().commit, this.target);
    this.epochs.set(this.tip().commit, this.epoch);
  }

  private asNow(because: NotStarted, now: Instant): NotStarted {
    return because.type === 'target_moved' ? this.moved(now) : because;
  }

  private isChanged({ number, head }: PastHead): boolean {
    const facts = this.pullRequests.get(number);
    return facts !== undefined && (facts.head !== head || facts.state !== 'open' || facts.draft);
  }
}

/** Whether the replay finds such an objection itself, from its own target and pull requests. */
function isByWorld({ type }: NotStarted): boolean {
  return type === 'target_moved' || type === 'pull_request_changed';
}

function keyOf(heads: readonly PastHead[]): string {
  return heads.map(labelOf).join(' ');
}
