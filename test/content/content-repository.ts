import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BareRepository, runGit } from '../support/bare-repository';
import type { FileChanges } from '../support/commit-stream';

export interface Pull {
  readonly number: number;
  /** All heads of the pull request so far, the newest last. */
  readonly heads: string[];
  state: 'open' | 'landed' | 'closed';
  /**
   * Somebody put all or part of the pull request's changes on the target manually, so it is unclear how to revert it.
   */
  isOnTargetByHand: boolean;
  /** The target before and after the merge of the pull request; null if it has not merged. */
  landed: { readonly from: string; readonly to: string } | null;
}

const LINES = Array.from({ length: 12 }, (_, index) => `line ${index}`);
const NAMES = ['a.txt', 'b.txt', 'c.txt', 'secret'];
const START: FileChanges = Object.fromEntries(
  NAMES.map((name) => [name, `${LINES.map((line) => `${name} ${line}`).join('\n')}\n`]),
);

/**
 * A real repository, in which people work with ordinary git. The work tree of this repository gives git's own results.
 */
export class ContentRepository {
  readonly world = BareRepository.create('acme', 'widgets', START);
  readonly pulls: Pull[] = [];
  // git's answers about a commit never change, and starting git takes most of the time.
  private readonly trees = new Map<string, string>();
  private readonly ancestors = new Map<string, boolean>();
  private readonly known = new Map<string, Readonly<Record<string, string>>>();
  private readonly workTree = join(this.world.folder, 'work');
  private number = 0;

  constructor() {
    mkdirSync(this.workTree);
    runGit(this.world.bare, ['worktree', 'add', '--quiet', '--detach', this.workTree, 'main']);
  }

  get tip(): string {
    return this.world.tip('main');
  }

  set tip(commit: string) {
    this.world.setBranch('main', commit);
  }

  headOf(pull: Pull): string {
    return pull.heads.at(-1) ?? '';
  }

  openPull(head: string): Pull {
    const pull: Pull = { number: ++this.number, heads: [head], state: 'open', isOnTargetByHand: false, landed: null };
    this.world.setPullRequest(pull.number, head);
    this.pulls.push(pull);
    return pull;
  }

  /** The newest head of the pull request that `head` contains; null if it contains none. */
  headBelow(pull: Pull, head: string): string | null {
    return pull.heads.findLast((one) => this.isAncestor(one, head)) ?? null;
  }

  push(pull: Pull, head: string): void {
    pull.heads.push(head);
    this.world.setPullRequest(pull.number, head);
  }

  filesOf(commit: string): Readonly<Record<string, string>> {
    const files = this.known.get(commit) ?? this.world.files(commit);
    this.known.set(commit, files);
    return files;
  }

  commit(parent: string, changes: FileChanges, title: string): string {
    return this.world.commitTo('refs/scratch/new', parent, changes, { title });
  }

  /** Makes a commit without a work tree. Returns the commit. */
  commitTree(tree: string, parents: readonly string[], title: string): string {
    return this.world.inBare('commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', title);
  }

  treeOf(commit: string): string {
    return kept(this.trees, commit, () => this.world.inBare('rev-parse', `${commit}^{tree}`));
  }

  isAncestor(ancestor: string, commit: string): boolean {
    if (ancestor === commit) return true;
    const asked = ['merge-base', '--is-ancestor', ancestor, commit];
    return kept(this.ancestors, `${ancestor} ${commit}`, () => this.ask(asked) !== null);
  }

  /** Checks the commit out in the work tree. */
  checkout(commit: string): void {
    this.git(['checkout', '--quiet', '--force', '--detach', commit]);
  }

  git(args: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
    return runGit(this.workTree, args, environment);
  }

  /** Returns git's output; null if git failed, for example by a conflict. */
  ask(args: readonly string[], environment?: Readonly<Record<string, string>>): string | null {
    try {
      return this.git(args, environment);
    } catch {
      return null;
    }
  }

  /** Restores the work tree after a failure in it. */
  clean(): void {
    this.git(['reset', '--quiet', '--hard']);
  }

  close(): void {
    rmSync(this.world.folder, { recursive: true, force: true });
  }
}

function kept<Value>(all: Map<string, Value>, key: string, find: () => Value): Value {
  const known = all.get(key);
  if (known !== undefined) return known;
  const found = find();
  all.set(key, found);
  return found;
}
