import type { Change, EntryMoved } from '../../../../src/engine/changes';
import type { CulpritSearch, QueuedHead } from '../../../../src/engine/model';
import type { Instant } from '../../../../src/engine/vocabulary';
import { nameOf } from '../../../support/engine-host';

interface AloneInSearch {
  readonly search: number;
  readonly suspect: QueuedHead;
}

/** Checks that an entry which passed alone at the end of a bisection does not fail for an older result. */
export class AcquittalCheck {
  readonly problems: string[] = [];
  private readonly stages = new Map<number, CulpritSearch['stage']>();
  private readonly alone = new Map<number, AloneInSearch>();
  private readonly acquitted = new Map<string, Instant>();
  /** The time at which a result was found, by the run that takes it over. */
  private readonly foundAt = new Map<number, Instant>();

  tookOver(run: number, foundAt: Instant): void {
    this.foundAt.set(run, foundAt);
  }

  decided(changes: readonly Change[], nameOfEntry: (entryId: string) => string): void {
    for (const change of changes) {
      if (change.type === 'searchStarted' || change.type === 'searchAdvanced')
        this.stages.set(change.search.number, change.search.stage);
      if (change.type === 'runStarted' && change.run.search !== null && change.run.own.length === 1)
        this.alone.set(change.run.number, { search: change.run.search, suspect: change.run.own[0]! });
      if (change.type === 'runPassed') this.passed(change.run, change.at);
      if (change.type === 'entryMoved' && change.to === 'failed') this.failed(change, nameOfEntry(change.entryId));
    }
  }

  private passed(run: number, at: Instant): void {
    const test = this.alone.get(run);
    if (test && this.stages.get(test.search) === 'culprit') this.acquitted.set(nameOf(test.suspect), at);
  }

  private failed({ run, because }: EntryMoved, name: string): void {
    const acquittedAt = this.acquitted.get(name);
    const foundAt = this.foundAt.get(run ?? 0);
    if (because !== 'test_run_failed_by_optimization' || acquittedAt === undefined || foundAt === undefined) return;
    if (foundAt <= acquittedAt) this.problems.push(`${name} failed for a result from before a search acquitted it`);
  }
}
