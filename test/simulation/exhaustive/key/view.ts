import type { Entry, QueuedHead, TestRun, Tip } from '../../../../src/engine/model';
import { isConcluded } from '../../../../src/engine/states';
import { isBeingLanded } from '../../../../src/engine/policy/line';
import { BESIDE, nameOf, share, type ExhaustiveCase, type Pull, type State } from '../state';
import { markOf } from './names';

/** Properties of a state, as the parts of a key need them. */
export class View {
  readonly isFlow: boolean;
  readonly isParallel: boolean;
  readonly open: readonly Entry[];
  /** Whether the landing in progress succeeds whatever else happens. If so, nothing else about the landing matters. */
  readonly landsForSure: boolean;
  private readonly openById: ReadonlyMap<string, Entry>;

  constructor(
    readonly facts: ExhaustiveCase,
    readonly state: State,
  ) {
    this.isFlow = facts.settings.scheduling === 'flow';
    this.isParallel = facts.mode === 'parallel';
    this.open = state.queue.entries.filter((entry) => !isConcluded(entry.state));
    this.openById = new Map(this.open.map((entry) => [entry.id, entry]));
    const mayBeRefused = facts.disturbances.includes('push') || facts.disturbances.includes('target moved');
    this.landsForSure = !mayBeRefused && landsAsThingsAre(state);
  }

  /** Whether the entry is certain to land. */
  lands(entry: Entry): boolean {
    return this.landsForSure && isBeingLanded(this.state.queue, entry);
  }

  /**
   * Whether CI may give up a test run. Then the run's entries wait again, and a test of the target may be inconclusive.
   */
  get mayBeLost(): boolean {
    return this.facts.disturbances.includes('inconclusive');
  }

  /** How many other entries may conclude before an entry in the queue concludes. */
  get others(): number {
    return this.open.length - 1 + this.toCome;
  }

  get toCome(): number {
    return this.facts.entries - this.state.pulls.length;
  }

  /** The open entry with this id; null if the entry has left. */
  openOf(id: string): Entry | null {
    return this.openById.get(id) ?? null;
  }

  /** Whether the entry is still in the queue, with the tested head and generation. */
  isUndone = (head: QueuedHead): boolean => {
    const entry = this.openById.get(head.entryId);
    return entry !== undefined && entry.head === head.head && (entry.generation ?? 0) === (head.generation ?? 0);
  };

  /** The marks of the entries with these ids. Entries that have left are dropped. */
  ids(ids: readonly string[]): string {
    return ids
      .flatMap((id) => this.openOf(id) ?? [])
      .map(markOf)
      .join(' ');
  }

  heads(heads: readonly QueuedHead[]): string {
    return heads.filter(this.isUndone).map(markOf).join(' ');
  }

  /**
   * A tree, written as its difference to the tree of the tip that the queue knows. The difference is the names at the
   * end that only one of the two trees has. If the two trees begin differently, the tree is written as it is.
   */
  tree(tree: string): string {
    const known = this.state.queue.tip?.tree ?? '';
    if (tree === known) return '';
    let beyond = `not on it: ${tree}`;
    if (tree.startsWith(known + BESIDE)) beyond = tree.slice(known.length);
    else if (known.startsWith(tree + BESIDE)) beyond = `before${known.slice(tree.length)}`;
    return beyond.replaceAll(/(\d+)@/g, (_, digits: string) => `${markOf({ number: Number(digits) })}@`);
  }

  /**
   * A tree that should consist of the target and these heads. This tree is written as `as` if it consists of the target
   * as the queue knows it and the heads. In parallel mode, the same is written on another tip, too. Then a head is
   * marked if the tree lacks a change of this tip that shares a target with the head.
   */
  treeWith(tree: string, heads: readonly QueuedHead[]): string {
    const expected = [this.state.queue.tip?.tree, ...heads.map(nameOf)].join(BESIDE);
    if (tree === expected) return 'as';
    if (!this.isParallel) return this.tree(tree);
    const names = tree.split(BESIDE);
    const lacking = this.state.tip.tree.split(BESIDE).filter((name) => !names.includes(name));
    const isLacking = ({ number }: QueuedHead): boolean =>
      lacking.some((name) => !name.includes('@') || share(this.facts, number, Number(name.split('@')[0])));
    const isThere = (head: QueuedHead): boolean => names.includes(nameOf(head));
    const isOther = this.open.some(
      (entry) => isThere({ ...entry, entryId: entry.id }) !== heads.some(({ entryId }) => entryId === entry.id),
    );
    return isOther ? this.tree(tree) : `as ${heads.map(isLacking).join(' ')}`;
  }

  /** Whether the commit is the tip that the queue knows, whether it is the host's tip, and the tree. */
  tip({ commit, tree }: Tip): string {
    const { queue, tip } = this.state;
    return `${commit === queue.tip?.commit} ${commit === tip.commit} ${this.tree(tree)}`;
  }

  hasPassed(commit: string): boolean {
    return this.state.passed.includes(commit);
  }

  isRed(run: number): boolean {
    return this.state.red.some((other) => other.run === run);
  }

  /**
   * Changes that the queue landed since the base of the run, in order. For a base that is older than a push, the result
   * has no meaning.
   */
  landedSince({ base }: TestRun): readonly QueuedHead[] {
    return this.state.queue.landed.filter(({ seq }) => seq > base.landedSeq).toSorted((a, b) => a.seq - b.seq);
  }

  isOfNow({ base }: Pick<TestRun, 'base'>): boolean {
    return base.epoch === this.state.queue.epoch;
  }

  /** The rank of the run among the existing runs, in the order of their starts; null if the run does not exist. */
  placeOf(run: number | null): number | null {
    const { runs } = this.state.queue;
    return runs.some(({ number }) => number === run) ? runs.filter(({ number }) => number < run!).length : null;
  }
}

function landsAsThingsAre({ queue: { landing }, tasks, outcomes, tip, pulls }: State): boolean {
  if (landing === null) return false;
  if (outcomes.some((outcome) => outcome.type === 'landed' && outcome.landing === landing.number)) return true;
  const task = tasks.find((other) => other.type === 'landRun' && other.landing === landing.number);
  if (task?.type !== 'landRun' || task.expectedTip.commit !== tip.commit) return false;
  const isTested = task.testedTree === null || task.testedTree === [tip.tree, ...task.changes.map(nameOf)].join(BESIDE);
  return isTested && task.changes.every((change) => isAsKnown(pulls, change));
}

/** Whether the head is still the head of an open pull request at the host. */
export function isAsKnown(pulls: readonly Pull[], { number, head }: QueuedHead): boolean {
  return pulls.some((pull) => pull.number === number && pull.head === head && pull.state === 'open');
}

export function includes(heads: readonly QueuedHead[], head: QueuedHead): boolean {
  return heads.some((other) => isSame(other, head));
}

export function isSame(one: QueuedHead, other: QueuedHead): boolean {
  return one.entryId === other.entryId && one.head === other.head && (one.generation ?? 0) === (other.generation ?? 0);
}
