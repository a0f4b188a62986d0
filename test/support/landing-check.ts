import type { LandRun } from '../../src/engine/commands';
import type { Candidate, EngineHost, Tree } from './engine-host';
import { nameOf } from './engine-host';

/** Tells whether two changes of the target, given by name, have an impacted target in common. */
export type Shares = (one: string, other: string) => boolean;

/**
 * Checks a queue's merges against the target itself and CI's results, never against the queue's records. In single
 * mode, the target must be exactly a tree that passed. In parallel mode, each change must have been tested together
 * with every change on the target branch that shares an impacted target with it.
 */
export class LandingCheck {
  readonly problems: string[] = [];
  /** The statuses that passed, by tree and by commit. */
  private readonly passes = new Map<string, Map<string, Set<string>>>();
  /**
   * For each change, the changes on the target branch that shared an impacted target with it when its merge was
   * ordered.
   */
  private readonly shared = new Map<string, ReadonlySet<string>>();

  constructor(private readonly host: EngineHost) {}

  /** Notes that CI passed a status on a commit of the tree. */
  passed(commit: string, tree: Tree, status: string): void {
    const id = this.host.idOf(tree);
    const commits = this.passes.get(id) ?? new Map<string, Set<string>>();
    this.passes.set(id, commits.set(commit, (commits.get(commit) ?? new Set()).add(status)));
  }

  /** Whether all these statuses passed on one commit of that tree. */
  isPassed(tree: Tree, statuses: readonly string[]): boolean {
    const commits = [...(this.passes.get(this.host.idOf(tree))?.values() ?? [])];
    return statuses.length > 0 && commits.some((passed) => statuses.every((status) => passed.has(status)));
  }

  /** Notes which changes share a target at the time of the order, because targets that are given later do not count. */
  ordered(command: LandRun, shares: Shares): void {
    for (const name of command.changes.map(nameOf))
      this.shared.set(name, new Set(this.host.target.filter((other) => shares(name, other))));
  }

  /** Checks a merge. Called after the merge has moved the target, with the target before it. */
  landed(ordered: LandRun, before: Tree, statusesOfHead: readonly string[]): void {
    const command = { ...ordered, changes: ordered.changes.filter((change) => !this.isNothing(change)) };
    const what = command.changes.map(nameOf).join(' ');
    const tested = this.testedBy(command, statusesOfHead);
    if (tested === null) return this.note(`landed a commit that was never made: ${what}`);
    const { tree, requiredStatuses } = tested;
    if (!this.isPassed(tree, requiredStatuses)) this.note(`landed ${what}, tested as a tree that did not pass`);
    if (command.changes.some((change) => !tree.includes(nameOf(change))))
      this.note(`landed ${what}, which is not what was tested`);
    if (this.host.interfered.has(command.landing)) this.expectAll(command, what);
    else if (command.testedTree !== null || command.direct !== null) this.expectExactly(tree, what);
    else this.expectIndependence(command, tested, before, what);
    this.expectAsked(command.changes);
    this.expectOnce(what);
  }

  /** Checks a merge that a host refused midway: the whole run was tested, and its first part is on the target now. */
  landedPartly(command: LandRun, before: Tree, landed: number): void {
    const changes = command.changes.slice(0, landed).filter((change) => !this.isNothing(change));
    const names = changes.map(nameOf);
    const tested = this.testedBy(command, []);
    if (tested === null || !this.isPassed(tested.tree, tested.requiredStatuses))
      this.note(`landed ${names.join(' ')} of a run that did not pass`);
    if (this.host.interfered.has(command.landing)) this.expectAll({ ...command, changes }, names.join(' '));
    else if (this.host.idOf([...before, ...names]) !== this.host.tip().tree)
      this.note(`landed another part than ${names.join(' ')}: ${this.host.target.join(' ')}`);
    this.expectAsked(changes);
    this.expectOnce(names.join(' '));
  }

  private testedBy(command: LandRun, requiredStatuses: readonly string[]): Omit<Candidate, 'run' | 'base'> | null {
    if (command.direct === null) return this.host.candidates.get(command.testedCommit) ?? null;
    const tree = this.host.headTree(command.changes[0]!.number);
    return { commit: command.testedCommit, tree, own: command.changes, builtOn: [], requiredStatuses };
  }

  /** Whether another merged change includes all changes of this one. */
  private isNothing(change: LandRun['changes'][number]): boolean {
    return !this.host.target.includes(nameOf(change)) && this.host.isNothingOn(this.host.target, change);
  }

  /**
   * Expects that the target has the changes, although the host wrote other content or somebody pushed just before the
   * merge.
   */
  private expectAll({ changes }: LandRun, what: string): void {
    if (!changes.every((change) => this.host.target.includes(nameOf(change)))) this.note(`landed a part of ${what}`);
  }

  private expectExactly(tree: Tree, what: string): void {
    if (this.host.idOf(tree) !== this.host.tip().tree)
      this.note(`landed ${what} on another tree than tested: ${this.host.target.join(' ')}, not ${tree.join(' ')}`);
  }

  private expectIndependence(command: LandRun, { tree }: Pick<Candidate, 'tree'>, before: Tree, what: string): void {
    for (const other of before) {
      if (tree.includes(other) || this.host.hasChangesOf(tree, other)) continue;
      if (!other.includes('@')) this.note(`landed ${what}, tested without the push ${other}`);
      if (command.changes.some((change) => this.shared.get(nameOf(change))?.has(other)))
        this.note(`landed ${what}, which shares a target with ${other} and was not tested with it`);
    }
  }

  /**
   * Expects that the host shows every pull request of the merge as merged, not a draft, based on the target, and at its
   * tested head. A pull request that was closed before the merge is still shown as closed.
   */
  private expectAsked(changes: LandRun['changes']): void {
    for (const change of changes) {
      const { state, draft, base, head } = this.host.pullRequest(change.number);
      const isAimed = base === null || base === this.host.branch;
      if (state !== 'merged' || draft || !isAimed || head !== change.head)
        this.note(`landed ${nameOf(change)}, which is ${state} at ${head}${draft ? ', a draft' : ''}, for ${base}`);
    }
  }

  private expectOnce(what: string): void {
    const numbers = this.host.target.filter((name) => name.includes('@')).map((name) => name.split('@')[0]);
    if (new Set(numbers).size !== numbers.length) this.note(`landed twice: ${what}`);
  }

  private note(problem: string): void {
    this.problems.push(problem);
  }
}
