import type { StartTestRun, StopTestRun } from '../../engine/commands';
import type { QueueEvent } from '../../engine/events';
import type { Instant } from '../../engine/vocabulary';
import type { EngineStore } from './engine-store';
import type { PastRun } from './history';
import type { PastTree } from './past-trees';
import type { ReplayedCourse } from './replayed-course';
import type { OrderedTest, ReplayWorld } from './replay-world';
import type { UsualTimes } from './usual-times';

/** One name for the result of all required statuses of a run. */
const STATUS = 'tests';
/** The rank of an event without a counterpart in the history. */
export const NEVER_THEN = Infinity;

export interface ReplayedQueue {
  readonly now: Instant;
  tell(event: QueueEvent): boolean;
  later(after: Instant, rank: number | undefined, act: () => void): void;
}

interface Parts {
  readonly world: ReplayWorld;
  readonly store: EngineStore;
  readonly course: ReplayedCourse;
  readonly usual: UsualTimes;
}

/** The test runs of a replay: builds them, reports their results, and stops them. */
export class ReplayedTests {
  private readonly building = new Set<number>();
  private readonly tested = new Map<number, string>();

  constructor(
    private readonly queue: ReplayedQueue,
    private readonly parts: Parts,
  ) {}

  order(command: StartTestRun): void {
    const { commit, tree } = this.parts.world.build(command);
    const past = this.parts.world.takeTest(tree);
    const isThen = past?.orderedAt === this.queue.now;
    const stopped = past?.start === null ? (past.stoppedAfter ?? 0) + 1 : 0;
    const after = past?.start?.toldAfter ?? Math.max(this.parts.usual.start, stopped);
    this.building.add(command.run);
    const rank = isThen ? past?.start?.rank : undefined;
    this.queue.later(after, rank, () => this.start(command, commit, tree, { past, isThen }));
  }

  private start(command: StartTestRun, commit: string, tree: PastTree, attempt: OrderedTest): void {
    const { past } = attempt;
    const { run, own, reuseSince } = command;
    if (!this.building.delete(run)) return;
    const seen = own.flatMap(({ number }) => this.parts.world.facts(number, this.queue.now) ?? []);
    const objection = this.parts.world.objectionTo(command, attempt, this.queue.now);
    if (objection) {
      this.queue.tell({ type: 'runNotStarted', run, because: objection, seen });
      return;
    }
    const made = {
      run,
      commit,
      tree: String(tree.id),
      requiredStatuses: [STATUS],
      source: 'merge_instance',
      seen,
    } as const;
    const red = reuseSince === null ? null : this.knownRed(made.tree, reuseSince, attempt);
    if (red !== null) {
      this.queue.tell({ type: 'runResultKnown', ...made, red, at: this.queue.now });
      return;
    }
    this.test(command, commit, tree, past);
    const { start } = past ?? {};
    const late = start?.type === 'pushed' ? start.toldAfter - start.pushedAfter : 0;
    this.queue.tell({ type: 'runPushed', ...made, branch: `testing/${run}`, at: this.queue.now - late });
  }

  /**
   * The failed statuses in an earlier result of the tree, which may come from before the history; null if no result is
   * reused.
   */
  private knownRed(tree: string, since: Instant, { past, isThen }: OrderedTest): readonly string[] | null {
    const known = isThen ? null : this.parts.store.results.of(tree, [STATUS], since);
    if (known) return known.red;
    if (past?.start?.type !== 'reused') return null;
    return past.start.isRed ? [STATUS] : [];
  }

  private test(command: StartTestRun, commit: string, tree: PastTree, past: PastRun | null): void {
    const { run, builtOn, own } = command;
    this.tested.set(run, commit);
    if (past?.start?.type === 'pushed' && (past.reports.length > 0 || past.isSilent)) {
      this.parts.course.began(run, 'tested', this.queue.now);
      for (const { after, rank, state, isFlaky } of past.reports)
        this.report(run, commit, state, { after, rank, isFlaky });
      return;
    }
    const { results } = this.parts.world;
    const verdict = results.verdict(tree, [...builtOn, ...own], this.queue.now + this.parts.usual.passed, run);
    this.parts.course.began(run, verdict.how, this.queue.now);
    const usual = verdict.state === 'passed' ? this.parts.usual.passed : this.parts.usual.failed;
    this.report(run, commit, verdict.state, { after: Math.max(usual, (past?.stoppedAfter ?? -1) + 1), isFlaky: false });
  }

  /** All reports of an instant are stored before the queue receives any of them. */
  private report(
    run: number,
    commit: string,
    state: 'passed' | 'failed' | 'lost',
    { after, rank = NEVER_THEN, isFlaky }: { after: Instant; rank?: number; isFlaky: boolean },
  ): void {
    const isStopped = (): boolean => !this.tested.has(run);
    const store = (): void => {
      if (isStopped()) return;
      this.parts.course.reported(run, this.queue.now);
      const others = state === 'failed' && !isFlaky ? 1 : 0;
      this.parts.store.upload({ commit, upload: 'all', flaky: Number(isFlaky), others, tests: [] });
      this.parts.store.report({ commit, kind: 'status', name: STATUS, app: null, state, reportedAt: this.queue.now });
    };
    if (after === 0) store();
    else this.queue.later(after, rank - 0.5, store);
    this.queue.later(after, rank, () => isStopped() || this.queue.tell({ type: 'statusReported', commit }));
  }

  stop({ run, because }: StopTestRun): void {
    this.building.delete(run);
    if (because !== 'ended') return;
    this.parts.course.stopped(run, this.queue.now);
    this.tested.delete(run);
  }
}
