import type { EntryMoved } from '../../../../src/engine/changes';
import type { Entry, Tip } from '../../../../src/engine/model';
import type { QueueMode, Scheduling } from '../../../../src/engine/vocabulary';
import { type Candidate, type EngineHost, nameOf, type Tree } from '../../../support/engine-host';
import type { CodeWorld } from '../code-world';

/** The settings that hold at the time of the failure. */
export interface OrderInForce {
  readonly mode: QueueMode;
  readonly scheduling: Scheduling;
}

interface Judged {
  readonly candidate: Candidate;
  readonly isSearch: boolean;
}

/**
 * Checks that no pull request fails because of another one. If a pull request fails for its tests, it must have been
 * tested alone on the target and, if CI was honest and in time, must fail there. If a pull request fails for a
 * conflict, it must conflict with the target.
 */
export class JusticeCheck {
  readonly problems: string[] = [];
  private readonly tested = new Map<number, Judged>();

  constructor(
    private readonly host: EngineHost,
    private readonly code: CodeWorld,
    private readonly isHonest: (commit: string) => boolean,
  ) {}

  started(run: number, commit: string, isSearch: boolean): void {
    const candidate = this.host.candidates.get(commit);
    if (candidate) this.tested.set(run, { candidate, isSearch });
  }

  commitOf(run: number): string | null {
    return this.tested.get(run)?.candidate.commit ?? null;
  }

  /**
   * `tip` is the target as the engine knows it. A push that the engine does not know yet does not make its verdict
   * wrong.
   */
  failed(move: EntryMoved, entry: Entry, tip: Tip | null, order: OrderInForce): void {
    switch (move.because) {
      case 'test_run_required_status_failed':
      case 'test_run_failed_by_optimization':
      case 'test_run_timeout':
        return this.forTests(move, entry, tip, order);
      case 'start_test_run_merge_conflict':
        return this.forConflict(entry);
      case 'start_test_run_config_parsing_failure':
      case 'start_test_run_config_bad_required_statuses':
      case 'start_test_run_no_required_statuses':
        return this.forConfig(move, entry, tip);
      default:
        return;
    }
  }

  private forTests({ run, because }: EntryMoved, entry: Entry, tip: Tip | null, order: OrderInForce): void {
    const judged = this.tested.get(run ?? 0);
    const who = `#${entry.number} failed (${because})`;
    if (!judged) return this.note(`${who} by run ${run}, which was never built`);
    const { candidate, isSearch } = judged;
    if (candidate.own.length !== 1 || nameOf(candidate.own[0]!) !== nameOf(entry))
      return this.note(`${who} by run ${run}, which tested ${candidate.own.map(nameOf).join(' ')}`);
    // The name of the entry is missing in the tree if the other names in the tree have the same changes.
    const onto = candidate.tree.filter((name) => name !== nameOf(entry));
    const target = this.host.treeOf(tip?.tree ?? null);
    // The verdict on a dry run does not cover changes that land from behind the dry run.
    const isWhole = order.mode === 'single' && !entry.dryRun;
    // In flow scheduling another run must pass after the failed test, and may land in the meantime.
    if (isSearch || order.scheduling === 'flow' ? !this.wasTarget(onto) : !isPartOf(onto, target, isWhole))
      return this.note(`${who} on ${onto.join(' ')}, while the target is ${target.join(' ')}`);
    if (!this.isHonest(candidate.commit)) return;
    if (because === 'test_run_timeout') return this.note(`${who}, although CI reported in time`);
    if (!this.code.isRed(candidate.tree)) this.note(`${who}, although ${candidate.tree.join(' ')} is green`);
  }

  /**
   * If the configuration file on the target is unreadable, no pull request is at fault. A pull request fails for the
   * file only if it breaks the file.
   */
  private forConfig({ because }: EntryMoved, entry: Entry, tip: Tip | null): void {
    const { file } = this.host.pullRequest(entry.number);
    if (because !== 'start_test_run_no_required_statuses') {
      if (typeof file !== 'string') this.note(`#${entry.number} failed (${because}), but does not break the file`);
    } else if (typeof this.host.fileIn(this.host.treeOf(tip?.tree ?? null)) === 'string')
      this.note(`#${entry.number} failed (${because}) while the file of the target cannot be read`);
  }

  private forConflict(entry: Entry): void {
    const { conflictsWith } = this.host.pullRequest(entry.number);
    const conflicts = (name: string): boolean =>
      conflictsWith.some((other) => name === other || name.startsWith(`${other}@`));
    if (!this.host.target.some(conflicts)) this.note(`#${entry.number} failed for a conflict, but fits the target`);
  }

  private wasTarget(tree: Tree): boolean {
    const id = this.host.idOf(tree);
    return this.host.targets.some((other) => this.host.idOf(other) === id);
  }

  private note(problem: string): void {
    this.problems.push(problem);
  }
}

function isPartOf(tree: Tree, target: Tree, isWhole: boolean): boolean {
  const names = new Set(target);
  return tree.every((name) => names.has(name)) && (!isWhole || tree.length === target.length);
}
