import type { Change } from '../../../../src/engine/changes';
import type { Entry, QueuedHead, StatusFact } from '../../../../src/engine/model';

interface Test {
  readonly own: readonly QueuedHead[];
  commit: string | null;
  requiredStatuses: readonly string[];
}

type EntryOf = (id: string) => Entry | undefined;

const STARTED_AGAIN_AT_MOST = 2;

/**
 * Checks that a run is started again after CI gave it up, but at most twice for each attempt of an entry. An entry must
 * not fail before CI gave up a third run.
 */
export class LossCheck {
  readonly problems: string[] = [];
  private readonly tests = new Map<number, Test>();
  /** The number of runs that CI has given up in the current attempt of each entry. */
  private readonly losses = new Map<string, number>();

  constructor(private readonly reportsOn: (commit: string) => readonly StatusFact[]) {}

  decided(changes: readonly Change[], entryOf: EntryOf): void {
    for (const change of changes) {
      if (change.type === 'entrySubmitted') this.losses.delete(change.entry.id);
      if (change.type === 'runStarted') this.started(change);
      if (change.type === 'runPushed') Object.assign(this.testOf(change.run), commitIn(change));
      if (change.type === 'runLost') this.lost(change.run, entryOf);
      if (change.type === 'runFailed' && !change.failure.reused) this.failed(change.run, entryOf);
    }
  }

  private started({ run }: Extract<Change, { type: 'runStarted' }>): void {
    this.tests.set(run.number, { own: run.own, commit: null, requiredStatuses: [] });
  }

  private lost(run: number, entryOf: EntryOf): void {
    if (!this.isGivenUp(run)) this.problems.push(`run ${run} was started again, although CI did not give it up`);
    for (const entryId of this.testedBy(run, entryOf)) {
      const times = this.timesOf(entryId) + 1;
      this.losses.set(entryId, times);
      if (times > STARTED_AGAIN_AT_MOST) this.problems.push(`${entryId} was started again for the ${times}. lost run`);
    }
  }

  private failed(run: number, entryOf: EntryOf): void {
    const own = this.testedBy(run, entryOf);
    if (own.length === 0 || !this.isGivenUp(run)) return;
    if (own.every((entryId) => this.timesOf(entryId) < STARTED_AGAIN_AT_MOST))
      this.problems.push(`run ${run} failed, but CI only gave it up, and not for the third time`);
  }

  /** The entries that the run still tests. An entry that flow scheduling restarted during the run does not count. */
  private testedBy(run: number, entryOf: EntryOf): readonly string[] {
    const own = this.testOf(run).own.map(({ entryId, generation = 0 }) => ({ entryId, generation }));
    const tested = own.filter(({ entryId, generation }) => generation === (entryOf(entryId)?.generation ?? 0));
    return tested.map(({ entryId }) => entryId);
  }

  private isGivenUp(run: number): boolean {
    const { commit, requiredStatuses } = this.testOf(run);
    const reports = commit === null ? [] : this.reportsOn(commit);
    const states = reports.filter(({ name }) => requiredStatuses.includes(name)).map(({ state }) => state);
    return !states.includes('failed') && (states.length === 0 || states.includes('lost'));
  }

  private timesOf(entryId: string): number {
    return this.losses.get(entryId) ?? 0;
  }

  private testOf(run: number): Test {
    return this.tests.get(run) ?? { own: [], commit: null, requiredStatuses: [] };
  }
}

function commitIn({ commit, requiredStatuses }: Extract<Change, { type: 'runPushed' }>): Partial<Test> {
  return { commit, requiredStatuses };
}
