import type { Change } from '../../src/engine/changes';
import type { TestRun } from '../../src/engine/model';
import type { EngineDay } from '../support/engine-day';
import type { Moment, SeenRun } from './stage';

type RunPushed = Extract<Change, { type: 'runPushed' }>;

/** The runs and the state changes of a day, read from its decisions. */
export class EngineLog {
  private readonly started = new Map<number, TestRun>();
  private readonly pushed = new Map<number, TestRun>();
  private readonly timelines = new Map<string, Moment[]>();
  private decisionsRead = 0;

  constructor(private readonly day: EngineDay) {}

  /** Reads the decisions since the last call. */
  read(): void {
    for (const { changes } of this.day.decisions.slice(this.decisionsRead))
      for (const change of changes) this.note(change);
    this.decisionsRead = this.day.decisions.length;
  }

  runNumbered(number: number): TestRun {
    const run = this.pushed.get(number);
    if (!run) throw new Error(`run ${number} was never pushed`);
    return run;
  }

  timelineOf(entryId: string): readonly Moment[] {
    return this.timelines.get(entryId) ?? [];
  }

  runs(): readonly SeenRun[] {
    const live = new Map(this.day.queue.runs.map((run) => [run.number, run.phase]));
    return [...this.pushed.values()].map((run): SeenRun => {
      const base = namesOf(this.day.host.treeOf(run.base.tree));
      const phase = live.get(run.number);
      return {
        number: run.number,
        kind: run.kind,
        base,
        adds: namesOf(this.day.treeOf(run)).filter((name) => !base.includes(name)),
        ownCount: run.own.length,
        requiredStatuses: run.requiredStatuses,
        pushedAt: run.pushedAt ?? run.createdAt,
        timeoutMinutes: run.timeoutMinutes,
        standing: phase === undefined ? 'over' : phase === 'testing' ? 'awaited' : 'kept',
      };
    });
  }

  private note(change: Change): void {
    if (change.type === 'runStarted') this.started.set(change.run.number, change.run);
    if (change.type === 'runPushed') this.notePushed(change);
    if (change.type === 'entrySubmitted') {
      const { id, state, stateReason: reason, submittedAt: at } = change.entry;
      this.add(id, { state, reason, hasRun: false, at });
    }
    if (change.type === 'entryMoved') {
      const { entryId, to: state, because: reason, run, at } = change;
      this.add(entryId, { state, reason, hasRun: run !== null, at });
    }
  }

  private notePushed({ run: number, commit, tree, pushedAt }: RunPushed): void {
    const run = this.started.get(number);
    if (!run) throw new Error(`run ${number} was pushed but never started`);
    this.pushed.set(number, { ...run, commit, tree, pushedAt });
  }

  private add(entryId: string, moment: Moment): void {
    this.timelines.set(entryId, [...this.timelineOf(entryId), moment]);
  }
}

/**
 * The names of the changes in a tree, without the initial content of the target. `7@7b` is the second head of pull
 * request 7.
 */
export function namesOf(tree: readonly string[]): readonly string[] {
  return tree.filter((name) => name !== 'main').map((name) => name.replace(/^(\d+)@\1/, '$1@'));
}
