import type { Tree } from '../../support/engine-host';
import type { CodePlan } from './plan';

/** The result that a faultless CI would give for a tree, which depends only on the changes in the tree. */
export class CodeWorld {
  private readonly bad: ReadonlySet<string>;
  private readonly harmful = new Set<string>();
  private readonly repairs = new Map<string, ReadonlySet<string>>();
  private readonly verdicts = new Map<string, boolean>();

  constructor(private readonly plan: CodePlan) {
    this.bad = new Set(plan.bad);
  }

  /** A person pushes a change that breaks the target until another push repairs the target. */
  harm(name: string): void {
    this.harmful.add(name);
  }

  /** A person pushes a change that repairs everything that is wrong with the present target. */
  repair(name: string, target: Tree): void {
    this.repairs.set(name, new Set(target));
  }

  /** Numbers of pull requests, and names of pushes, that conflict with this pull request. */
  conflictsOf(number: number): readonly (number | string)[] {
    const { conflicts, conflictsWithPushes } = this.plan;
    return [
      ...conflicts.flatMap(([a, b]) => (a === number ? [b] : b === number ? [a] : [])),
      ...conflictsWithPushes.filter(([a]) => a === number).map(([, name]) => name),
    ];
  }

  /** Numbers of pull requests with the same change. */
  sameAs(number: number): readonly number[] {
    return this.plan.same.flatMap(([a, b]) => (a === number ? [b] : b === number ? [a] : []));
  }

  isRed(tree: Tree): boolean {
    const key = tree.join(' ');
    const known = this.verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = this.judge(tree);
    this.verdicts.set(key, verdict);
    return verdict;
  }

  private judge(tree: Tree): boolean {
    const mended = new Set<string>();
    for (const name of tree) for (const other of this.repairs.get(name) ?? []) mended.add(other);
    const broken = tree.filter((name) => !mended.has(name));
    const numbers = new Set(broken.map(numberOf));
    const all = new Set(tree.map(numberOf));
    if (broken.some((name) => this.bad.has(name) || this.harmful.has(name))) return true;
    if (this.plan.mends.some(([mender, other]) => numbers.has(other) && !all.has(mender))) return true;
    return this.plan.pairs.some(([a, b]) => all.has(a) && all.has(b) && (numbers.has(a) || numbers.has(b)));
  }
}

/** The pull request number of a change; 0 for a push to the target. */
export function numberOf(name: string): number {
  return name.includes('@') ? Number(name.split('@')[0]) : 0;
}
