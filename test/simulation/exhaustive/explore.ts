import { createHash } from 'node:crypto';
import { keyOf } from './key';
import { isOver, type Move, movesOf } from './moves';
import { begin, type ExhaustiveCase, type State } from './world';

export interface Explored {
  readonly states: number;
  readonly moves: number;
  /** No state was left out. */
  readonly isClosed: boolean;
  /** What went wrong first, with the moves that lead there; null: nothing. */
  readonly problem: string | null;
}

export interface Bounds {
  readonly states: number;
  /** Of states that were reached again by other moves, each so manyth is compared with the one that has its key. */
  readonly compareEach: number;
}

interface Found {
  readonly parent: number;
  readonly by: string;
}

/**
 * Plays a case with every move in every order, and stops at the first state that breaks a promise. At the end, each state has to have
 * a way to the end of all pull requests without further disturbances. States with one key are one state; a sample of them is compared
 * by what follows.
 */
export class Exploration {
  private readonly indexOf = new Map<string, number>();
  private readonly found: Found[] = [];
  /** Two numbers for each ordinary move: from and to. */
  private readonly edges: number[] = [];
  private readonly over: number[] = [];
  /** To be expanded, those near the start first: then few moves lead to each. */
  private readonly open = new Map<number, State>();
  private expanded = 0;
  private moves = 0;
  private again = 0;
  private problem: string | null = null;

  constructor(
    private readonly facts: ExhaustiveCase,
    private readonly bounds: Bounds,
  ) {}

  explore(): Explored {
    this.visit(begin(this.facts), { parent: -1, by: 'nothing' });
    while (this.problem === null && this.found.length < this.bounds.states && this.expanded < this.found.length) {
      const state = this.open.get(this.expanded)!;
      this.open.delete(this.expanded);
      this.expand(state, this.expanded++);
    }
    const isClosed = this.open.size === 0 && this.problem === null;
    if (isClosed) this.problem = this.stuck();
    return { states: this.found.length, moves: this.moves, isClosed, problem: this.problem };
  }

  private expand(state: State, index: number): void {
    if (isOver(this.facts, state)) this.over.push(index);
    for (const move of movesOf(this.facts, state)) {
      this.moves++;
      const step = move.make();
      if ('problem' in step) return this.report(`${step.problem}`, index, move.name);
      const to = this.visit(step.state, { parent: index, by: move.name });
      if (move.isOrdinary) this.edges.push(index, to);
    }
  }

  private visit(state: State, found: Found): number {
    const key = digestOf(keyOf(state));
    const known = this.indexOf.get(key);
    if (known !== undefined) {
      if (++this.again % this.bounds.compareEach === 0) this.compare(state, key, found);
      return known;
    }
    const index = this.found.length;
    this.indexOf.set(key, index);
    this.found.push(found);
    this.open.set(index, state);
    return index;
  }

  /** The same moves lead to states with the same keys. */
  private compare(state: State, key: string, found: Found): void {
    const other = this.replay(this.indexOf.get(key)!);
    const [these, those] = [state, other].map((one) => successors(movesOf(this.facts, one)));
    if (these !== those)
      this.report(
        `what follows differs from that of another state with its key:\n${these}\n${those}`,
        found.parent,
        found.by,
      );
  }

  /** The state again, by the moves that found it. */
  private replay(index: number): State {
    return this.pathTo(index).reduce((state, name) => {
      const step = movesOf(this.facts, state)
        .find((move) => move.name === name)!
        .make();
      if ('problem' in step) throw new Error(step.problem);
      return step.state;
    }, begin(this.facts));
  }

  private pathTo(index: number): readonly string[] {
    const path: string[] = [];
    for (let at = index; at > 0; at = this.found[at]!.parent) path.push(this.found[at]!.by);
    return path.toReversed();
  }

  /** From the end backwards: what is not reached has no way there. */
  private stuck(): string | null {
    const before = new Map<number, number[]>();
    for (let i = 0; i < this.edges.length; i += 2) {
      const [from, to] = [this.edges[i]!, this.edges[i + 1]!];
      const known = before.get(to);
      if (known === undefined) before.set(to, [from]);
      else known.push(from);
    }
    const reached = new Set(this.over);
    const todo = [...this.over];
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      for (const from of before.get(at) ?? []) {
        if (reached.has(from)) continue;
        reached.add(from);
        todo.push(from);
      }
    }
    const lost = this.found.findIndex((_, index) => !reached.has(index));
    if (lost < 0) return null;
    this.report('no way leads from here to the end', lost);
    return this.problem;
  }

  private report(what: string, index: number, last?: string): void {
    const path = [...this.pathTo(index), ...(last === undefined ? [] : [last])];
    this.problem ??= `${what}\n  after: ${path.join('; ')}`;
  }
}

/** A million keys of some kilobytes would not fit into memory. */
function digestOf(key: string): string {
  return createHash('sha1').update(key).digest('base64');
}

function successors(moves: readonly Move[]): string {
  const keys = moves.map((move) => {
    const step = move.make();
    return 'problem' in step ? step.problem : keyOf(step.state);
  });
  return keys.sort().join('\n');
}
