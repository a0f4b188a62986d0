import { createHash } from 'node:crypto';
import { keyOf } from './key/key';
import { isOver, movesOf } from './moves';
import { begin } from './world';
import { DISTURBANCES, type ExhaustiveCase, type State } from './state';

export interface Explored {
  readonly states: number;
  readonly moves: number;
  /** How often two states with one key were compared by the states that may follow. */
  readonly compared: number;
  /** Whether the exploration left out no state. */
  readonly isClosed: boolean;
  /** The first problem, with the moves that lead to it; null if there is no problem. */
  readonly problem: string | null;
}

export interface Bounds {
  readonly states: number;
  /**
   * How many keys are compared. With 100, one key in a hundred is compared, a few times each, when other moves lead to
   * this key.
   */
  readonly compareEach: number;
}

/** How often one key is compared at most. */
const COMPARED_AT_MOST = 4;

/**
 * Plays a case with every move in every order, and stops at the first state that breaks a promise. At the end, every
 * state must have a way in which all pull requests end without further disturbances.
 *
 * A state is left out if an earlier state with the same key allows the same disturbances or more. Everything that can
 * follow the later state can then also follow the earlier state. For this reason, states with the most remaining
 * disturbances come first.
 */
export class Exploration {
  private readonly indexesOf = new Map<string, number | number[]>();
  private readonly parents: number[] = [];
  /** For each state, the index of the move that led from its parent to it. */
  private readonly by: number[] = [];
  private readonly budgets: Budget[] = [];
  /** For each ordinary move, the index of the state before the move and the index of the state after it. */
  private readonly edges: number[] = [];
  private readonly over: number[] = [];
  /** States with moves that are still to be played, by the number of their remaining disturbances. */
  private readonly open: [index: number, state: State][][] = [];
  private readonly kept = new Map<number, { readonly state: State; times: number }>();
  private moves = 0;
  private compared = 0;
  private problem: string | null = null;

  constructor(
    private readonly facts: ExhaustiveCase,
    private readonly bounds: Bounds,
  ) {}

  explore(): Explored {
    this.visit(begin(this.facts), -1, 0);
    const isClosed = this.expandAll() && this.problem === null;
    if (isClosed) this.lookForStuck();
    const { moves, compared, problem } = this;
    return { states: this.parents.length, moves, compared, isClosed, problem };
  }

  /**
   * Plays the moves of all open states. Returns false if there are more states than the limit, so that some are left
   * out.
   */
  private expandAll(): boolean {
    for (let left = this.open.length - 1; left >= 0; left--) {
      const layer = this.open[left] ?? [];
      // The layer grows during the loop.
      for (let at = 0; at < layer.length; at++) {
        if (this.problem !== null) return true;
        if (this.parents.length >= this.bounds.states) return false;
        const [index, state] = layer[at]!;
        layer[at] = undefined!;
        this.expand(state, index);
      }
      this.open.length = left;
    }
    return true;
  }

  private expand(state: State, index: number): void {
    if (isOver(this.facts, state)) this.over.push(index);
    for (const [i, move] of movesOf(this.facts, state).entries()) {
      this.moves++;
      const step = move.make();
      if ('problem' in step) return this.report(step.problem, index, i);
      const to = this.visit(step.state, index, i);
      if (move.isOrdinary && to !== index) this.edges.push(index, to);
    }
  }

  private visit(state: State, parent: number, by: number): number {
    const key = digestOf(keyOf(this.facts, state));
    const known = this.indexesOf.get(key);
    const others = known === undefined ? [] : typeof known === 'number' ? [known] : known;
    const budget = budgetOf(state);
    const earlier = others.find((i) => allows(this.budgets[i]!, budget));
    if (earlier !== undefined) {
      this.compare(state, earlier, parent, by);
      return earlier;
    }
    const index = this.parents.length;
    this.indexesOf.set(key, known === undefined ? index : [...others, index]);
    this.parents.push(parent);
    this.by.push(by);
    this.budgets.push(budget);
    (this.open[budget.left] ??= []).push([index, state]);
    if (index % this.bounds.compareEach === 0) this.kept.set(index, { state, times: 0 });
    return index;
  }

  /** Compares two states with one key. The same moves must lead from both states to states with the same keys. */
  private compare(state: State, index: number, parent: number, by: number): void {
    const kept = this.kept.get(index);
    if (kept === undefined || kept.times >= COMPARED_AT_MOST) return;
    kept.times++;
    this.compared++;
    const { left, targetFailures, failures } = state;
    const one = following(this.facts, state);
    const other = following(this.facts, { ...kept.state, left, targetFailures, failures });
    const only = [...[...one].filter((key) => !other.has(key)), ...[...other].filter((key) => !one.has(key))];
    if (only.length > 0)
      this.report(`states with the same key have different successors:\n${only.join('\n')}`, parent, by);
  }

  /** Searches backwards from the states at the end. A state that this search does not reach has no way to the end. */
  private lookForStuck(): void {
    const before = Array.from({ length: this.parents.length }, (): number[] => []);
    for (let i = 0; i < this.edges.length; i += 2) before[this.edges[i + 1]!]!.push(this.edges[i]!);
    const reached = new Set(this.over);
    const todo = [...this.over];
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      for (const from of before[at]!) {
        if (reached.has(from)) continue;
        reached.add(from);
        todo.push(from);
      }
    }
    const lost = this.parents.findIndex((_, index) => !reached.has(index));
    if (lost >= 0) this.report('no way leads from here to the end', lost);
  }

  private report(what: string, index: number, last?: number): void {
    const path: number[] = last === undefined ? [] : [last];
    for (let at = index; at > 0; at = this.parents[at]!) path.push(this.by[at]!);
    const names: string[] = [];
    let state = begin(this.facts);
    for (const i of path.reverse()) {
      const move = movesOf(this.facts, state)[i]!;
      names.push(move.name);
      const step = move.make();
      if ('state' in step) ({ state } = step);
    }
    this.problem ??= `${what}\n  after: ${names.join('; ')}`;
  }
}

/**
 * A digest of the key. This digest is kept instead of the key, because a million keys of several kilobytes each would
 * not fit into memory.
 */
function digestOf(key: string): string {
  return createHash('sha1').update(key).digest('base64');
}

/**
 * The disturbances that may still happen. `kinds` has one bit for each kind of disturbance. `left` is the number of
 * disturbances that are left.
 */
interface Budget {
  readonly kinds: number;
  readonly targetFailures: number;
  readonly failures: number;
  readonly left: number;
}

function budgetOf({ left: disturbances, targetFailures, failures }: State): Budget {
  const kinds = disturbances.reduce((bits, kind) => bits | (1 << DISTURBANCES.indexOf(kind)), 0);
  const left = disturbances.length + targetFailures + (Number.isFinite(failures) ? failures : 0);
  return { kinds, targetFailures, failures, left };
}

function allows(budget: Budget, other: Budget): boolean {
  if ((budget.kinds & other.kinds) !== other.kinds) return false;
  return budget.targetFailures >= other.targetFailures && budget.failures >= other.failures;
}

function following(facts: ExhaustiveCase, state: State): ReadonlySet<string> {
  const keys = movesOf(facts, state).map(({ isOrdinary, make }) => {
    const step = make();
    if ('problem' in step) return step.problem;
    return `${isOrdinary} ${JSON.stringify(budgetOf(step.state))} ${keyOf(facts, step.state)}`;
  });
  return new Set([`is over: ${isOver(facts, state)}`, ...keys]);
}
