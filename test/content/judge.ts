import type { MergeMethod } from '../../src/engine/vocabulary';
import type { ContentRepository, Pull } from './content-repository';

/** The outcome that ordinary git predicts for a pull request on a commit of the target. */
export type Verdict =
  | { readonly type: 'merged'; readonly commit: string; readonly tree: string; readonly subjects: readonly string[] }
  /** The target has the head of the pull request ('contained'), or all its changes ('nothing'). */
  | { readonly type: 'contained' | 'nothing' }
  | { readonly type: 'conflict' }
  /** The merge method would make another tree than a merge commit. */
  | { readonly type: 'refused' };

/**
 * With another committer, a rebase makes new commits even if nothing else differs from the commits of the pull request.
 */
const BY_ANOTHER = { GIT_COMMITTER_NAME: 'Judge', GIT_COMMITTER_EMAIL: 'judge@example.com' };

export class Judge {
  constructor(
    private readonly repository: ContentRepository,
    private readonly method: MergeMethod,
  ) {}

  /**
   * `below`: pull requests that `pull` contains, and that were merged into the history of `tip` without their own
   * commits.
   */
  judge(tip: string, pull: Pull, below: readonly Pull[]): Verdict {
    const { repository, method } = this;
    const head = repository.headOf(pull);
    const ground = this.groundOf(tip, head, below);
    const tree = this.merge(ground, head);
    if (tree === null) return { type: 'conflict' };
    const isContained = repository.isAncestor(head, tip);
    if (method === 'rebase') return this.judgeRebase({ tip, ground, head, tree, isContained });
    if (isContained) return { type: 'contained' };
    if (method === 'merge_commit') return this.written(tree, [tip, head], 'merge');
    if (tree === repository.treeOf(tip) && !this.isEmpty(ground, head)) return { type: 'nothing' };
    return this.written(tree, [tip], 'squash');
  }

  private written(tree: string, parents: readonly string[], title: string): Verdict {
    return { type: 'merged', commit: this.repository.commitTree(tree, parents, title), tree, subjects: [] };
  }

  private judgeRebase({ tip, ground, head, tree, isContained }: Rebase): Verdict {
    const { repository } = this;
    repository.checkout(head);
    const options = ['--quiet', '--reapply-cherry-picks', '--empty=drop', '--force-rebase', '--onto', tip, ground];
    if (repository.ask(['rebase', ...options], BY_ANOTHER) === null) {
      repository.ask(['rebase', '--abort']);
      repository.clean();
      return { type: 'conflict' };
    }
    const commit = repository.git(['rev-parse', 'HEAD']);
    if (repository.treeOf(commit) !== tree) return { type: 'refused' };
    if (commit === tip) return { type: isContained ? 'contained' : 'nothing' };
    const subjects = repository.git(['log', '--format=%s', `${tip}..${commit}`]).split('\n');
    return { type: 'merged', commit, tree, subjects };
  }

  /** The tree of the merge; null if it has conflicts. */
  private merge(ours: string, theirs: string): string | null {
    const { repository } = this;
    repository.checkout(ours);
    const merged = repository.ask(['merge', '--quiet', '--no-ff', '--no-commit', theirs]);
    const tree = merged === null ? null : repository.git(['write-tree']);
    repository.clean();
    return tree;
  }

  /**
   * Whether the pull request changes nothing: its head has the tree of its merge base with `ground`. Several merge
   * bases are merged first.
   */
  private isEmpty(ground: string, head: string): boolean {
    const { repository } = this;
    const [first, ...others] = repository.git(['merge-base', '--all', ground, head]).split('\n');
    repository.checkout(first!);
    const isMerged = others.every(
      (fork) => repository.ask(['merge', '--quiet', '--no-ff', '-m', 'forks', fork]) !== null,
    );
    const tree = isMerged ? repository.git(['write-tree']) : null;
    repository.clean();
    return tree === repository.treeOf(head);
  }

  private groundOf(tip: string, head: string, below: readonly Pull[]): string {
    if (this.method === 'merge_commit') return tip;
    const counting = below.filter((pull) => !this.wasReverted(tip, pull));
    const merged = counting.flatMap((pull) => this.repository.headBelow(pull, head) ?? []);
    if (merged.length === 0) return tip;
    return this.repository.commitTree(
      this.repository.treeOf(tip),
      [tip, ...new Set(merged)],
      'the target, with stacks',
    );
  }

  /** Whether the merge was reverted, so that another revert would change nothing on the target. */
  private wasReverted(tip: string, { landed }: Pull): boolean {
    const { repository } = this;
    if (landed === null) return false;
    const inverse = repository.commitTree(repository.treeOf(landed.from), [landed.to], 'take it out');
    repository.checkout(tip);
    const isApplied = repository.ask(['cherry-pick', '--no-commit', inverse]) !== null;
    const isSame = isApplied && repository.git(['write-tree']) === repository.treeOf(tip);
    repository.ask(['cherry-pick', '--quit']);
    repository.clean();
    return isSame;
  }
}

interface Rebase {
  readonly tip: string;
  readonly ground: string;
  readonly head: string;
  readonly tree: string;
  readonly isContained: boolean;
}
