import type { LandRun } from '../engine/commands';
import type { Candidate, EngineHost, Tree } from './engine-host';
import { nameOf } from './engine-host';

/** Whether two changes of the target, called by their names, were given an impacted target in common. */
export type Shares = (one: string, other: string) => boolean;

/**
 * Judges what a queue puts on the target by the target itself and by what CI passed, never by the queue's records.
 * In the line: exactly a tree that passed. In lanes: a change that was tested together with everything on the target
 * that it shares a target with, or that what it was built on had to be tested with.
 */
export class LandingCheck {
  readonly problems: string[] = [];
  private readonly passed = new Set<string>();
  private readonly sharedWhenLanded = new Map<string, ReadonlySet<string>>();

  constructor(private readonly host: EngineHost) {}

  /** CI passed all of these statuses on one commit of that tree. */
  markPassed(tree: Tree, statuses: readonly string[]): void {
    this.passed.add(this.keyOf(tree, statuses));
  }

  isPassed(tree: Tree, statuses: readonly string[]): boolean {
    return statuses.length > 0 && this.passed.has(this.keyOf(tree, statuses));
  }

  /** Asked when a landing has moved the target, with the target as it was before. */
  landed(order: LandRun, before: Tree, statusesOfHead: readonly string[], shares: Shares): void {
    const what = order.changes.map(nameOf).join(' ');
    const tested = this.testedBy(order, statusesOfHead);
    if (tested === null) return this.note(`landed a commit that was never made: ${what}`);
    const { tree, requiredStatuses } = tested;
    if (!this.isPassed(tree, requiredStatuses)) this.note(`landed ${what}, tested as a tree that did not pass`);
    if (order.changes.some((change) => !tree.includes(nameOf(change))))
      this.note(`landed ${what}, which is not what was tested`);
    if (order.testedTree !== null || order.direct !== null) this.expectExactly(tree, what);
    else this.expectIndependence(order, tested, before, what, shares);
    this.expectOnce(what);
    for (const change of order.changes) {
      const others = before.filter((other) => shares(nameOf(change), other));
      this.sharedWhenLanded.set(nameOf(change), new Set(others));
    }
  }

  private testedBy(order: LandRun, requiredStatuses: readonly string[]): Omit<Candidate, 'run' | 'base'> | null {
    if (order.direct === null) return this.host.candidates.get(order.testedCommit) ?? null;
    const tree = this.host.headTree(order.changes[0]!.number);
    return { commit: order.testedCommit, tree, own: order.changes, builtOn: [], requiredStatuses };
  }

  private expectExactly(tree: Tree, what: string): void {
    if (this.host.idOf(tree) !== this.host.tip().tree)
      this.note(`landed ${what} on another tree than tested: ${this.host.target.join(' ')}, not ${tree.join(' ')}`);
  }

  private expectIndependence(
    order: LandRun,
    { tree, builtOn }: Pick<Candidate, 'tree' | 'builtOn'>,
    before: Tree,
    what: string,
    shares: Shares,
  ): void {
    for (const other of before) {
      if (tree.includes(other)) continue;
      if (!other.includes('@')) this.note(`landed ${what}, tested without the push ${other}`);
      if (order.changes.some((change) => shares(nameOf(change), other)))
        this.note(`landed ${what}, which shares a target with ${other} and was not tested with it`);
      for (const name of builtOn.map(nameOf)) {
        const wasBehind = before.indexOf(name) > before.indexOf(other);
        if (wasBehind && this.sharedWhenLanded.get(name)?.has(other))
          this.note(`landed ${what}, built on ${name}, which shares a target with ${other}: not tested with that`);
      }
    }
  }

  private expectOnce(what: string): void {
    const numbers = this.host.target.filter((name) => name.includes('@')).map((name) => name.split('@')[0]);
    if (new Set(numbers).size !== numbers.length) this.note(`landed twice: ${what}`);
  }

  private keyOf(tree: Tree, statuses: readonly string[]): string {
    return [this.host.idOf(tree), ...[...new Set(statuses)].sort()].join(' ');
  }

  private note(problem: string): void {
    this.problems.push(problem);
  }
}
