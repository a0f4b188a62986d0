import type { MergeMethod } from '../../src/engine/vocabulary';
import type { FileChanges } from '../support/commit-stream';
import type { Dice } from '../simulation/oracle/random';
import type { ContentRepository, Pull } from './content-repository';

type Deed = () => void;

/** Random actions of people on a repository between merges. */
export class People {
  private count = 0;

  constructor(
    private readonly repository: ContentRepository,
    private readonly dice: Dice,
    private readonly mergeMethod: MergeMethod,
  ) {}

  act(): void {
    const deeds: readonly (readonly [weight: number, deed: Deed])[] = [
      [30, () => this.open()],
      [14, () => this.withOpen((pull) => this.repository.push(pull, this.change(this.repository.headOf(pull))))],
      [14, () => this.withOpen((pull) => this.bringUpToDate(pull))],
      [12, () => void (this.repository.tip = this.change(this.repository.tip))],
      [6, () => this.withOpen((pull) => this.pickOntoTarget(pull))],
      [4, () => this.withOpen((pull) => this.squashByHand(pull))],
      [12, () => this.revert()],
      [8, () => this.openAgain()],
    ];
    let left = this.dice.throw() * deeds.reduce((sum, [weight]) => sum + weight, 0);
    const chosen = deeds.find(([weight]) => (left -= weight) < 0) ?? deeds[0]!;
    chosen[1]();
  }

  private open(): void {
    const { pulls, tip } = this.repository;
    const below = pulls.filter(({ state }) => state !== 'closed');
    const isStacked = below.length > 0 && this.dice.happens(0.4);
    let head = isStacked ? this.repository.headOf(this.oneOf(below)) : tip;
    for (let commits = 1 + this.dice.below(3); commits > 0; commits--) head = this.change(head);
    this.repository.openPull(head);
  }

  /** Opens a reverted pull request again, unchanged or with an addition. */
  private openAgain(): void {
    const landed = this.repository.pulls.filter(({ state }) => state === 'landed');
    if (landed.length === 0) return;
    const head = this.repository.headOf(this.oneOf(landed));
    this.repository.openPull(this.dice.happens(0.5) ? head : this.change(head));
  }

  private change(parent: string): string {
    const title = `Change ${++this.count}`;
    return this.repository.commit(parent, this.drawChanges(parent), title);
  }

  private drawChanges(parent: string): FileChanges {
    const files = this.repository.filesOf(parent);
    const names = Object.keys(files);
    const kind = this.dice.throw();
    if (kind < 0.07 || names.length === 0) return {};
    if (kind < 0.14) return { [`new-${this.dice.below(3)}.txt`]: `${this.word()}\n` };
    const name = this.oneOf(names);
    if (kind < 0.19) return { [name]: null };
    if (kind < 0.25) return { [name]: { renamedTo: `moved-${this.dice.below(1_000)}-${name}` } };
    if (kind < 0.37) return this.backTo(parent);
    return { [name]: this.withLine(files[name] ?? '') };
  }

  private withLine(text: string): string {
    const lines = text.split('\n');
    const at = this.dice.below(Math.max(1, lines.length - 1));
    return lines.map((line, index) => (index === at ? this.word() : line)).join('\n');
  }

  /** There are only a few words, so that people sometimes write the same text. */
  private word(): string {
    return this.dice.happens(0.4) ? this.dice.pick(['red', 'green']) : `word ${++this.count}`;
  }

  /** Changes that restore the content before the commit. */
  private backTo(commit: string): FileChanges {
    const before = this.repository.ask(['rev-parse', '--verify', '--quiet', `${commit}^`]);
    if (before === null) return {};
    const [now, then] = [this.repository.filesOf(commit), this.repository.filesOf(before)];
    const names = [...new Set([...Object.keys(now), ...Object.keys(then)])].filter((name) => now[name] !== then[name]);
    return Object.fromEntries(names.map((name) => [name, then[name] ?? null]));
  }

  /** Merges the target into the pull request. Some people change more during the merge, or discard one side. */
  private bringUpToDate(pull: Pull): void {
    const { repository, dice } = this;
    repository.checkout(repository.headOf(pull));
    const how = dice.throw();
    const options = how < 0.15 ? ['-X', 'ours'] : how < 0.3 ? ['-X', 'theirs'] : how < 0.36 ? ['-s', 'ours'] : [];
    const merged = repository.ask([
      'merge',
      '--quiet',
      '--no-ff',
      '-m',
      'Merge the target',
      ...options,
      repository.tip,
    ]);
    if (merged === null) return repository.clean();
    let head = repository.git(['rev-parse', 'HEAD']);
    if (dice.happens(0.4)) {
      const changed = repository.commit(head, this.drawChanges(head), 'unused');
      const parents = repository.git(['log', '-1', '--format=%P', head]).split(' ');
      head = repository.commitTree(repository.treeOf(changed), parents, 'Merge the target, and change something');
    }
    repository.push(pull, head);
  }

  private pickOntoTarget(pull: Pull): void {
    const { repository } = this;
    repository.checkout(repository.tip);
    const picked = repository.ask(['cherry-pick', repository.headOf(pull)]);
    if (picked === null) return repository.clean();
    pull.isOnTargetByHand = true;
    repository.tip = repository.git(['rev-parse', 'HEAD']);
  }

  private squashByHand(pull: Pull): void {
    const { repository } = this;
    repository.checkout(repository.tip);
    const merged = repository.ask(['merge', '--quiet', '--squash', repository.headOf(pull)]);
    if (merged === null || repository.ask(['commit', '--quiet', '-m', 'Squashed by hand']) === null)
      return repository.clean();
    pull.isOnTargetByHand = true;
    repository.tip = repository.git(['rev-parse', 'HEAD']);
  }

  private revert(): void {
    const { repository } = this;
    const landed = repository.pulls.filter((pull) => pull.state === 'landed' && !pull.isOnTargetByHand);
    if (landed.length === 0) return;
    const { from, to } = this.oneOf(landed).landed!;
    repository.checkout(repository.tip);
    const what = this.mergeMethod === 'merge_commit' ? ['-m', '1', to] : [`${from}..${to}`];
    if (repository.ask(['revert', '--no-edit', ...what]) === null) return this.giveUp('revert');
    repository.tip = repository.git(['rev-parse', 'HEAD']);
  }

  private giveUp(command: string): void {
    this.repository.ask([command, '--abort']);
    this.repository.clean();
  }

  private withOpen(deed: (pull: Pull) => void): void {
    const open = this.repository.pulls.filter(({ state }) => state === 'open');
    if (open.length > 0) deed(this.oneOf(open));
  }

  private oneOf<T>(some: readonly T[]): T {
    return some[this.dice.below(some.length)]!;
  }
}
