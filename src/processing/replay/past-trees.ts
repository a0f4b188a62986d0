import { labelOf, type PastHead, type QueueHistory } from './history';

/** A tree, identified by the heads that were merged, in order: the same sequence gives the same tree. */
export interface PastTree {
  readonly id: number;
  readonly parent: PastTree | null;
  readonly label: string;
  readonly grown: Map<string, PastTree>;
}

/** The trees of a history and of its replays. */
export class PastTrees {
  private count = 0;
  readonly root: PastTree = this.make(null, '');

  grow(onto: PastTree, label: string): PastTree {
    const known = onto.grown.get(label);
    if (known) return known;
    const tree = this.make(onto, label);
    onto.grown.set(label, tree);
    return tree;
  }

  growAll(onto: PastTree, heads: readonly PastHead[]): PastTree {
    return heads.reduce((tree, head) => this.grow(tree, labelOf(head)), onto);
  }

  /** The tree after the push number `epoch` by others. */
  pushed(onto: PastTree, epoch: number): PastTree {
    return this.grow(onto, `push ${epoch}`);
  }

  private make(parent: PastTree | null, label: string): PastTree {
    return { id: this.count++, parent, label, grown: new Map() };
  }
}

/** The trees of the target in the history, by the number of pushes by others and of landings by the queue. */
export class PastTargets {
  private readonly byState = new Map<string, PastTree>();

  constructor(trees: PastTrees, { start, landed }: Pick<QueueHistory, 'start' | 'landed'>, lastEpoch: number) {
    let tree = trees.root;
    let { epoch } = start;
    this.byState.set(keyOf(epoch, start.landedSeq), tree);
    let seq = start.landedSeq;
    const pushTo = (to: number): void => {
      for (; epoch < to;) {
        tree = trees.pushed(tree, ++epoch);
        this.byState.set(keyOf(epoch, seq), tree);
      }
    };
    for (const change of landed) {
      pushTo(change.epoch);
      seq = change.seq;
      tree = trees.grow(tree, labelOf(change));
      this.byState.set(keyOf(epoch, seq), tree);
    }
    pushTo(lastEpoch);
  }

  at(epoch: number, landedSeq: number): PastTree | null {
    return this.byState.get(keyOf(epoch, landedSeq)) ?? null;
  }
}

function keyOf(epoch: number, landedSeq: number): string {
  return `${epoch}/${landedSeq}`;
}
