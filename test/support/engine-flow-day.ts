import type { QueueSettings, TestRun } from '../../src/engine/model';
import { FLOW_AT_START, type LearnedFigures } from '../../src/engine/flow-state';
import { EngineDay } from './engine-day';

/**
 * A pool of three slots, and groups of up to four entries that do not wait for more entries. Idle slots test each
 * suspect in isolation.
 */
const FLOW_SETTINGS: Partial<QueueSettings> = {
  scheduling: 'flow',
  canOptimisticallyMerge: true,
  concurrency: 3,
  bisectionConcurrency: 0,
  batch: true,
  batchingMinSize: 4,
  batchingMaxWaitTimeMinutes: 0,
  optimizationMode: 'bisection_skip_redundant_tests',
};

/** A day of a flow queue. Runs are named by their content: `1+2|3` is 3 on top of 1 and 2. */
export class EngineFlowDay extends EngineDay {
  constructor(settings: Partial<QueueSettings> = {}) {
    super({ ...FLOW_SETTINGS, ...settings });
  }

  enter(...numbers: readonly number[]): void {
    for (const number of numbers) this.submit(number);
    this.carryOutAll();
  }

  /** Submits the pull requests so that they start as one group. */
  enterTogether(...numbers: readonly number[]): void {
    const { concurrency } = this.queue.settings;
    this.set({}, 'paused');
    this.enter(...numbers);
    this.set({ concurrency: 1 }, 'running');
    this.set({ concurrency });
    this.carryOutAll();
  }

  /** Submits a pull request with commits that include the commits of another pull request. */
  enterOn(needed: number, number: number, wishes: { priority?: number } = {}): void {
    this.open(number, { contains: [this.host.pullRequest(needed).head] });
    this.submit(number, wishes);
    this.carryOutAll();
  }

  enterUrgent(...numbers: readonly number[]): void {
    for (const number of numbers) this.submit(number, { priority: 0 });
    this.carryOutAll();
  }

  underTest(): readonly string[] {
    return this.queue.runs.filter(({ phase }) => phase === 'testing').map(shown);
  }

  reportOn(run: string, state: 'passed' | 'failed'): void {
    this.report(this.runNamed(run), state);
    this.carryOutAll();
  }

  runNamed(run: string): TestRun {
    const found = this.queue.runs.find((other) => other.phase === 'testing' && shown(other) === run);
    if (!found) throw new Error(`no run tests ${run}: ${this.underTest().join(', ')}`);
    return found;
  }

  /** Pretends that the entry was left out of this many merges since it passed. */
  passOver(passed: number, rides: number): void {
    const { queue } = this;
    const entries = queue.entries.map((entry) =>
      entry.number === passed && entry.flow ? { ...entry, flow: { ...entry.flow, rides } } : entry,
    );
    this.queue = { ...queue, entries };
  }

  /** Pretends that the queue has learned these figures from outcomes. */
  learn(learned: Partial<LearnedFigures>): void {
    const { queue } = this;
    const flow = queue.flow ?? FLOW_AT_START;
    this.queue = { ...queue, flow: { ...flow, learned: { ...flow.learned, ...learned } } };
  }
}

/** The numbers of the pull requests in a run, in order: the base's numbers, a bar, and then the run's own numbers. */
function shown({ builtOn, own }: TestRun): string {
  return `${builtOn.map(({ number }) => number).join('+')}|${own.map(({ number }) => number).join('+')}`;
}
