import type { Tip } from '../../../src/engine/model';

/**
 * A tree, represented by the path of the changes that it holds. The same changes in the same order are the same tree,
 * so the tree with one more change is found in one step.
 */
export interface Tree {
  readonly id: string;
  readonly parent: Tree | null;
  readonly number: number;
  readonly isRed: boolean;
  readonly grown: Map<number, Tree>;
  /** The tree's index among the trees of the target; -1 if the tree was never on the target. */
  landedAs: number;
}

/** Whether the change `number` breaks a tree; `holds` says which other changes the tree holds. */
export type Breaks = (number: number, holds: (other: number) => boolean) => boolean;

/** The trees of one virtual host, and its target. */
export class Trees {
  private readonly byCommit = new Map<string, Tree>();
  private readonly landedAs = new Map<number, number>();
  private count = 0;
  private landed = 0;
  private target: Tree = { id: 'tree-0', parent: null, number: 0, isRed: false, grown: new Map(), landedAs: 0 };

  constructor(private readonly breaks: Breaks) {
    this.byCommit.set(this.tip().commit, this.target);
  }

  tip(): Tip {
    return { commit: `landed-${this.landed}`, tree: this.target.id };
  }

  at(commit: string): Tree {
    const tree = this.byCommit.get(commit);
    if (!tree) throw new Error(`nobody made the commit ${commit}`);
    return tree;
  }

  /** The tree with these changes merged onto `onto`, in order. */
  grow(onto: Tree, numbers: readonly number[]): Tree {
    return numbers.reduce((tree, number) => tree.grown.get(number) ?? this.make(tree, number), onto);
  }

  keep(commit: string, tree: Tree): void {
    this.byCommit.set(commit, tree);
  }

  drop(commit: string): void {
    this.byCommit.delete(commit);
  }

  /** @throws when the change would break the target: a merge queue must prevent this. */
  land(number: number): void {
    this.target = this.grow(this.target, [number]);
    if (this.target.isRed) throw new Error(`change ${number} broke the target`);
    this.target.landedAs = ++this.landed;
    this.landedAs.set(number, this.landed);
    this.byCommit.set(this.tip().commit, this.target);
  }

  private make(parent: Tree, number: number): Tree {
    const isRed = parent.isRed || this.breaks(number, (other) => this.holds(parent, other));
    const tree: Tree = { id: `tree-${++this.count}`, parent, number, isRed, grown: new Map(), landedAs: -1 };
    parent.grown.set(number, tree);
    return tree;
  }

  private holds(tree: Tree, number: number): boolean {
    let node = tree;
    for (; node.landedAs < 0 && node.parent !== null; node = node.parent) if (node.number === number) return true;
    return (this.landedAs.get(number) ?? Infinity) <= node.landedAs;
  }
}
