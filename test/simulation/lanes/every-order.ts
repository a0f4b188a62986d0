import type { QueuedHead, QueueSnapshot, TestRun } from '../../../src/engine/model';
import { assumedAhead, expectedBase, isFullOnTarget, isOnBase, isOnTarget } from '../../../src/engine/policy/base';
import { type Group, lineOf } from '../../../src/engine/policy/line';
import { isProof } from '../../../src/engine/policy/proof';
import { EngineDay } from '../../support/engine-day';
import { type Bits, holds, impactingOn, type LanesCase } from './cases';

/**
 * The two rules under test. Each rule can be replaced by a simpler rule, which would suffice in a queue without direct
 * dependencies.
 */
export interface LanesRules {
  readonly merging: 'optimistic' | 'one by one';
  readonly proves: (queue: QueueSnapshot, group: Group) => boolean;
  readonly mayBlame: (queue: QueueSnapshot, run: TestRun) => boolean;
}

export const OURS: LanesRules = { merging: 'optimistic', proves: isProof, mayBlame: isFullOnTarget };
/** The simpler rule for landing: a run that passed on its base lands with everything that it contains. */
export const PROOF_BY_OWN: LanesRules = {
  ...OURS,
  proves: (queue, group) =>
    group.run !== null &&
    isOnBase(queue, group, group.run) &&
    assumedAhead(queue, group).every(({ run }) => run !== null),
};
/** The simpler rule for blame: a run that failed on the target is blamed. */
export const BLAME_BY_OWN: LanesRules = { ...OURS, mayBlame: isOnTarget };

interface Tested {
  /**
   * `tree` has all changes in the tree. `added` has the changes of the tree that were missing on the target at that
   * time.
   */
  readonly tree: Bits;
  readonly added: Bits;
  readonly phase: 'testing' | 'passed' | 'failed';
}

interface State {
  readonly landed: Bits;
  /** The landed changes, in the order in which they landed. */
  readonly landings: readonly number[];
  readonly failed: Bits;
  /** The run of each change; null if the change has none. */
  readonly runs: readonly (Tested | null)[];
}

export interface Explored {
  readonly states: number;
  /** The first problem; null if no order of events causes a problem. */
  readonly problem: string | null;
}

/** Plays one case in every order of starts, results, landings and verdicts, with the engine's own rules. */
export class EveryOrder {
  private readonly changes: readonly number[];
  private readonly heads: readonly QueuedHead[];
  private readonly template: QueueSnapshot;
  private readonly templateRun: TestRun;
  private readonly impacting: Bits;
  private problem: string | null = null;

  constructor(
    private readonly facts: LanesCase,
    private readonly rules: LanesRules,
  ) {
    const { targetsOf, redTarget } = facts;
    this.changes = targetsOf.map((_, change) => change);
    this.impacting = impactingOn(targetsOf, redTarget);
    const { queue, run } = aQueueOf(targetsOf.length);
    const { settings } = queue;
    const sharing = new Map(
      this.changes.map((one) => [idOf(one), new Set(this.changes.filter((other) => this.share(one, other)).map(idOf))]),
    );
    this.template = {
      ...queue,
      sharing,
      settings: { ...settings, canOptimisticallyMerge: rules.merging === 'optimistic' },
    };
    this.templateRun = run;
    this.heads = this.changes.map((change) => ({ entryId: idOf(change), number: change + 1, head: `${change + 1}a` }));
  }

  explore(): Explored {
    const first: State = { landed: 0, landings: [], failed: 0, runs: this.changes.map(() => null) };
    const seen = new Set([keyOf(first)]);
    const todo = [first];
    for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
      const next = this.next(state);
      const isOver = (state.landed | state.failed) === (1 << this.changes.length) - 1;
      if (next.length === 0 && !isOver) this.problem ??= `nothing goes on: ${this.told(state)}`;
      if (this.problem !== null) break;
      for (const other of next) {
        const key = keyOf(other);
        if (seen.has(key)) continue;
        seen.add(key);
        todo.push(other);
      }
    }
    return { states: seen.size, problem: this.problem };
  }

  private next(state: State): readonly State[] {
    const queue = this.queueIn(state);
    return lineOf(queue).flatMap((group) => this.nextOf(state, queue, group));
  }

  private nextOf(state: State, queue: QueueSnapshot, group: Group): readonly State[] {
    const change = group.entries[0]!.number - 1;
    const tested = state.runs[change]!;
    const { run } = group;
    if (run === null) {
      const added = bitsOf(expectedBase(queue, group)) | (1 << change);
      return [withRun(state, change, { tree: state.landed | added, added, phase: 'testing' })];
    }
    const isLost = !isOnBase(queue, group, run);
    if (tested.phase === 'testing')
      return [
        withRun(state, change, { ...tested, phase: this.isRed(tested.tree) ? 'failed' : 'passed' }),
        ...(isLost ? [withRun(state, change, null)] : []),
      ];
    if (tested.phase === 'passed') {
      if (this.lands(queue, group)) return [this.land(state, change, tested)];
      return isLost ? [withRun(state, change, null)] : [];
    }
    if (isLost) return [withRun(state, change, null)];
    if (!isOnTarget(queue, run)) return [];
    return [this.rules.mayBlame(queue, run) ? this.fail(state, change, tested) : withRun(state, change, null)];
  }

  private lands(queue: QueueSnapshot, group: Group): boolean {
    if (this.rules.merging === 'optimistic') return this.rules.proves(queue, group);
    return assumedAhead(queue, group).length === 0 && group.run !== null && isOnBase(queue, group, group.run);
  }

  private land(state: State, change: number, { tree }: Tested): State {
    const together = tree & ~state.landed;
    const landed = state.landed | together;
    if (this.isRed(landed))
      this.problem ??= `lands red: ${names(together)} by the test of ${change + 1}, ${this.told(state)}`;
    const landings = [...state.landings, ...this.changes.filter((i) => holds(together, i))];
    return { ...state, landed, landings, runs: state.runs.map((run, i) => (holds(together, i) ? null : run)) };
  }

  private fail(state: State, change: number, { tree }: Tested): State {
    if (!this.isRed(state.landed | (1 << change)))
      this.problem ??= `fails an innocent: ${change + 1}, tested as ${names(tree)}, ${this.told(state)}`;
    return { ...withRun(state, change, null), failed: state.failed | (1 << change) };
  }

  private isRed(tree: Bits): boolean {
    return (tree & this.impacting) === this.facts.redWith;
  }

  private share(one: number, other: number): boolean {
    return ((this.facts.targetsOf[one] ?? 0) & (this.facts.targetsOf[other] ?? 0)) !== 0;
  }

  /** The state as a queue that the engine can read. */
  private queueIn({ landed, landings, failed, runs }: State): QueueSnapshot {
    return {
      ...this.template,
      entries: this.template.entries.filter((_, change) => !holds(landed | failed, change)),
      runs: this.changes.flatMap((change) => (runs[change] ? [this.runOf(change, runs[change])] : [])),
      landed: landings.map((change, i) => ({ ...this.heads[change]!, seq: i + 1, epoch: this.template.epoch })),
      landedSeq: landings.length,
    };
  }

  private runOf(change: number, { tree, added, phase }: Tested): TestRun {
    const { templateRun } = this;
    const builtOn = this.heads.filter((_, i) => i !== change && holds(added, i));
    const landedSeq = this.changes.filter((i) => holds(tree & ~added, i)).length;
    const failure = phase === 'failed' ? ({ type: 'status', names: ['ci'], depth: 0, reused: false } as const) : null;
    const base = { ...templateRun.base, landedSeq };
    const own = [this.heads[change]!];
    return { ...templateRun, number: change + 1, place: change + 1, base, builtOn, own, phase, failure };
  }

  private told({ landed }: State): string {
    const { targetsOf, redTarget, redWith } = this.facts;
    const targets = targetsOf.map((bits, change) => `${change + 1}:${names(bits, 'abc')}`).join(' ');
    return `the target held ${names(landed)}; ${targets}, red when ${'abc'[redTarget]} sees ${names(redWith)}`;
  }
}

/** Returns a running queue in parallel mode with this many entries, and one of its test runs. */
function aQueueOf(changes: number): { readonly queue: QueueSnapshot; readonly run: TestRun } {
  const day = new EngineDay({ concurrency: changes });
  for (let number = 1; number <= changes; number++) day.submit(number);
  const { queue } = day.carryOutAll();
  return { queue: { ...queue, mode: 'parallel' }, run: queue.runs[0]! };
}

function withRun(state: State, change: number, run: Tested | null): State {
  return { ...state, runs: state.runs.with(change, run) };
}

function keyOf({ landings, failed, runs }: State): string {
  return `${landings.join('')},${failed},${runs.map((run) => (run ? `${run.tree}:${run.added}${run.phase}` : '')).join()}`;
}

function idOf(change: number): string {
  return `entry-${change + 1}`;
}

function bitsOf(heads: readonly QueuedHead[]): Bits {
  return heads.reduce((bits, { number }) => bits | (1 << (number - 1)), 0);
}

function names(bits: Bits, all = '1234567'): string {
  return [...all].filter((_, i) => holds(bits, i)).join('') || 'nothing';
}
