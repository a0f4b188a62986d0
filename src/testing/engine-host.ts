import { createHash } from 'node:crypto';
import type { LandRun, StartTestRun } from '../engine/commands';
import type { NotStarted, QueueEvent } from '../engine/events';
import type { Change, PullRequestFacts, Tip } from '../engine/model';
import type { Instant } from '../engine/vocabulary';

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
  /** Why the host refuses to land it; absent: it does not. */
  refusal?: string;
}

/** The host of a simulated day: a target that is a list of changes, and pull requests that may not fit together. */
export class EngineHost {
  target: Tree = ['main'];
  readonly pullRequests = new Map<number, PullRequestDay>();
  readonly passedTrees = new Set<string>();
  readonly problems: string[] = [];
  private readonly trees = new Map<string, Tree>();

  facts(number: number, seenAt: Instant): PullRequestFacts {
    const { head, state, draft, base, mergeability } = this.pullRequest(number);
    const said = { title: `Change ${number}`, author: 'ann', headBranch: null };
    return { number, head, state, draft, base, mergeability, ...said, seenAt };
  }

  tip(): Tip {
    return this.tipOf(this.target);
  }

  treeOf(id: string | null): Tree {
    return this.trees.get(id ?? '') ?? [];
  }

  /** CI passed that tree. */
  markPassed(tree: Tree): void {
    this.passedTrees.add(idOf(tree));
  }

  start(order: StartTestRun, now: Instant): QueueEvent {
    const seen = order.own.map((change) => this.facts(change.number, now));
    const refused = (because: NotStarted): QueueEvent => ({ type: 'runNotStarted', run: order.run, because, seen });
    const tip = this.tip();
    const isExpected = tip.commit === order.target.commit || tip.tree === order.landingTree;
    if (!isExpected) return refused({ type: 'target_moved', tip, seenAt: now });
    if (order.own.some((change) => this.isChanged(change))) return refused({ type: 'pull_request_changed' });
    const unknown = this.called(['unspecified', 'in_progress'], order.own);
    if (unknown.length > 0) return refused({ type: 'mergeability_unknown', numbers: unknown });
    if (order.requiredStatuses.length === 0)
      return refused({ type: 'refused', reason: 'start_test_run_no_required_statuses', details: 'none is named' });
    const base = this.treeOf(order.target.tree);
    const chain = [...order.onto.contains, ...order.builtOn, ...order.own];
    const conflict = this.conflictIn(base, chain, order.own);
    if (conflict) return refused({ type: 'conflict', ...conflict, files: ['a.txt'] });
    const objected = this.called(['not_mergeable'], order.own);
    if (objected.length > 0) return refused({ type: 'not_mergeable', numbers: objected });
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
      at: now,
      seen,
    };
  }

  land(order: LandRun, now: Instant): QueueEvent {
    const tip = this.tip();
    const { landing } = order;
    if (tip.commit !== order.expectedTip.commit)
      return { type: 'landingRefused', landing, because: { type: 'target_moved', tip, seenAt: now } };
    const moved = order.changes.find((change) => this.pullRequest(change.number).head !== change.head);
    if (moved) return { type: 'landingRefused', landing, because: { type: 'head_moved', number: moved.number } };
    for (const { number } of order.changes) {
      const { state, refusal } = this.pullRequest(number);
      const why = state === 'closed' ? 'The pull request is closed.' : refusal;
      if (why !== undefined) return { type: 'landingRefused', landing, because: { type: 'host_refused', number, why } };
    }
    this.target = [...this.target, ...order.changes.map(nameOf)];
    this.checkLanding(order);
    const made = this.tip();
    const commits = order.changes.map((change) => ({ number: change.number, ...made }));
    for (const change of order.changes) this.pullRequest(change.number).state = 'merged';
    return { type: 'landed', landing, tip: made, commits, at: now };
  }

  /** Checked from the target itself, not from the queue's own records. */
  private checkLanding(order: LandRun): void {
    if (!this.passedTrees.has(idOf(this.target)))
      this.problems.push(`landed a tree that nobody passed: ${this.target.join(' ')}`);
    if (new Set(this.target).size !== this.target.length)
      this.problems.push(`landed twice: ${order.changes.map(nameOf).join(' ')}`);
  }

  private conflictIn(
    base: Tree,
    chain: readonly Change[],
    own: readonly Change[],
  ): { number: number; with: 'target' | number } | null {
    for (const [i, change] of chain.entries()) {
      const { conflictsWith } = this.pullRequest(change.number);
      const isOwn = own.includes(change);
      if (conflictsWith.some((other) => base.some((name) => name.startsWith(`${other}@`))))
        return { number: change.number, with: 'target' };
      const ahead = chain.slice(0, i).find((other) => conflictsWith.includes(other.number));
      if (ahead && isOwn) return { number: change.number, with: ahead.number };
    }
    return null;
  }

  /** Those of which it says one of these words. */
  private called(words: readonly PullRequestDay['mergeability'][], own: readonly Change[]): readonly number[] {
    return own.map((change) => change.number).filter((n) => words.includes(this.pullRequest(n).mergeability));
  }

  private isChanged(change: Change): boolean {
    const now = this.pullRequest(change.number);
    return now.head !== change.head || now.state !== 'open' || now.draft || (now.base !== null && now.base !== 'main');
  }

  private pullRequest(number: number): PullRequestDay {
    const found = this.pullRequests.get(number);
    if (!found) throw new Error(`pull request ${number} was never opened`);
    return found;
  }

  private tipOf(tree: Tree, salt = ''): Tip {
    this.trees.set(idOf(tree), tree);
    return { commit: hash(`${idOf(tree)} ${salt}`), tree: idOf(tree) };
  }
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
